// Apart from the other texts, because only those who edit the event load it.
import { parseUrl } from './url.ts'

export const notMapLink = 'A map link begins with https://. Copy it from the map, e.g. with its Share button.'

/**
 * Whether this is a web address without blanks, which URL parsers would partly ignore. Any other scheme that a browser
 * would follow, e.g. a script, is refused.
 */
export function isMapLink(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text.trim()) && parseUrl(text) !== undefined
}
