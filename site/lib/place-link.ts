/** Where a place leads: an address on the web to itself, one with a number, e.g. of a house, to a map, other words to nothing. */
export function placeLink(place: string): string | undefined {
  if (/^https?:\/\/[^\s/]+\S*$/i.test(place)) return place
  return /\d/.test(place) ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}` : undefined
}
