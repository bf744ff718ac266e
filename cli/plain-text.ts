import { stripVTControlCharacters } from 'node:util'

/** Control characters, including 8-bit ones, which some terminals obey; line breaks; and those that reverse text. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
/** These characters, except tabs and the ends of lines. */
const unsafeInText = /(?!\t|\r?\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const unsafeInJson = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** The text on one line, without anything that moves the cursor, changes a color or reverses letters. */
export function displayed(text: string): string {
  // Most texts have none. Looking for escape sequences, which begin with one, takes 2 ms the first time.
  if (text.search(controls) === -1) return text
  return stripVTControlCharacters(text).replace(controls, ' ')
}

/** Applies `displayed` to each line of a text. */
export function displayedLines(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map(displayed)
    .join('\n')
}

/** The same JSON with control characters escaped: they occur in its strings only. */
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
