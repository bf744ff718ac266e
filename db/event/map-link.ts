export const notMapLink = 'A map link begins with https://. Copy it from the map, e.g. with its Share button.'

/**
 * Whether this is the address of a page on the web, in one piece: a parser would pass over a line break in it. What else a
 * browser would follow, e.g. a script, is none.
 */
export function isMapLink(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text.trim()) && URL.canParse(text)
}
