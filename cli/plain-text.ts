import { stripVTControlCharacters } from 'node:util'

/** Control characters, including 8-bit ones, which some terminals obey; line breaks; and those that reverse text. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
/** The same without tabs and the ends of lines. */
const unsafeInText = /(?!\t|\r?\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const unsafeInJson = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** A text on one line in which nothing moves the cursor, changes a color or turns letters around. */
export function displayed(text: string): string {
  // True of most texts. Looking for escape sequences takes 2 ms the first time; each begins with a control character.
  if (text.search(controls) === -1) return text
  return stripVTControlCharacters(text).replace(controls, ' ')
}

/** The same for a text of several lines. */
export function displayedLines(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map(displayed)
    .join('\n')
}

/** JSON of the same value with control characters escaped. Such characters occur inside strings only. */
export function escapedJson(json: string): string {
  return json.replace(unsafeInJson, escaped)
}

/** Escapes what a terminal would obey, as JSON does; tabs and line ends stay. */
export function escapedText(text: string): string {
  return text.replace(unsafeInText, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
