// Not in event-content.ts, because only browsers in which the event is edited load it.
import { parseUrl } from './url.ts'

export const notMapLink = 'A map link begins with https://. Copy it from the map, e.g. with its Share button.'

/**
 * Whether this is a web address. Blanks, which URL parsers partly ignore, are refused, as are other schemes that a browser
 * would follow, e.g. a script.
 */
export function isMapLink(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text.trim()) && parseUrl(text) !== undefined
}
