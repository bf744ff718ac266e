import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'

export const SERIF = 'Preview Serif'
export const SANS = 'Preview Sans'

/** A text with the font files that have all of its characters. */
export type Typeset = { text: string; fontFiles: string[] }

/** The room for a text, which takes the first of the sizes that fits. */
export type Room = { family: string; sizes: number[]; width: number; rows: number }

export type Lines = { lines: string[]; size: number }

const FONT_FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.local/share/fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  'C:\\Windows\\Fonts',
]
/** Each file is opened in search of a missing character: thousands would exceed the timeout. */
const FONT_FILES_MAXIMUM = 1000
const UNSUITABLE = /italic|oblique|mono|condensed|light|thin|black|symbol|emoji/i
/** A character that no font has: drawn as an empty box. */
const MISSING = '\u{10fffd}'
const MEASURED_SIZE = 100
/** Scripts without blanks between words: lines may break after each character. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u
const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u20e3\ufe0e\ufe0f]|\u200d/u
/** Drawn on the character before it, or not at all. */
const MARK = /[\p{Mn}\p{Cf}]/u

/**
 * Finds the fonts for a text: ours, and fonts of this computer for characters that ours lack. Emoji that ours lack are
 * left out. undefined if other characters would be empty boxes, or nothing is left.
 * @param own our font files.
 */
export function typeset(text: string, own: string[]): Typeset | undefined {
  const characters = Array.from(plain(text))
  const lacking = Array.from(new Set(characters)).filter((character) => !hasGlyph(character, own))
  const shown = characters.filter((character) => !lacking.includes(character) || !PICTOGRAPH.test(character))
  const spaced = shown.join('').replace(/\s+/g, ' ').trim()
  if (spaced === '') return undefined
  const fontFiles = [...own]
  for (;;) {
    const missing = lacking.find(
      (character) => spaced.includes(character) && !MARK.test(character) && !hasGlyph(character, fontFiles),
    )
    if (missing === undefined) return { text: spaced, fontFiles }
    const found = systemFonts().find((file) => hasGlyph(missing, [...own, file]))
    if (found === undefined) return undefined
    fontFiles.push(found)
  }
}

/** The text in the largest size that fits; in the smallest it is cut. */
export function fitLines({ text, fontFiles }: Typeset, { family, sizes, width, rows }: Room): Lines {
  const widths = new Map<string, number>()
  let [size = 0] = sizes
  function fits(line: string): boolean {
    const measured = widths.get(line) ?? drawn(line, fontFiles, family).getBBox()?.width ?? 0
    widths.set(line, measured)
    return (measured / MEASURED_SIZE) * size <= width
  }
  for (size of sizes) {
    const lines = wrap(text, rows, fits)
    if (lines.length <= rows && lines.every(fits)) return { lines, size }
  }
  const lines = wrap(text, rows, fits)
  const isWhole = (line: string, index: number) => fits(line) && (lines.length <= rows || index < rows - 1)
  return { size, lines: lines.slice(0, rows).map((line, index) => (isWhole(line, index) ? line : cut(line, fits))) }
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Breaks a text into lines that fit; stops after one line more than `rows`. */
function wrap(text: string, rows: number, fits: (line: string) => boolean): string[] {
  const pieces = text.split(/(?<= )/).flatMap((word) => (UNSPACED.test(word) ? Array.from(word) : [word]))
  const lines: string[] = []
  let line = ''
  for (const piece of pieces) {
    const longer = line + piece
    if (line === '' || fits(longer.trimEnd())) line = longer
    else {
      lines.push(line.trimEnd())
      line = piece.trimStart()
      if (lines.length > rows) return lines
    }
  }
  return [...lines, line.trimEnd()]
}

/** Shortens a line to what fits with an ellipsis. */
function cut(line: string, fits: (line: string) => boolean): string {
  const characters = Array.from(line)
  let [least, most] = [0, characters.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(`${characters.slice(0, middle).join('')}…`)) least = middle
    else most = middle - 1
  }
  return `${characters
    .slice(0, least)
    .join('')
    .replace(/[\s,;:.–-]+$/, '')}…`
}

/** Removes control characters, and marks that change the direction of the text. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\p{Bidi_Control}\p{Co}\p{Cn}\p{Cs}]/gu, '')
}

function hasGlyph(character: string, fontFiles: string[]): boolean {
  const [shape, box] = [character, MISSING].map((each) => drawn(each, fontFiles, SERIF).toString())
  return shape !== box
}

function drawn(text: string, fontFiles: string[], family: string): Resvg {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-family="${family}" font-size="${MEASURED_SIZE}" xml:space="preserve">${escaped(text)}</text></svg>`
  return new Resvg(svg, { font: { loadSystemFonts: false, fontFiles, defaultFontFamily: SANS } })
}

/** Fonts that suit a headline first. */
function systemFonts(): string[] {
  const rank = (path: string) => (UNSUITABLE.test(path) ? 2 : 0) + (/bold/i.test(path) ? 0 : 1)
  const files = FONT_FOLDERS.flatMap(filesIn).filter((path) => /\.(ttf|otf|ttc)$/i.test(path))
  return files.sort((one, other) => rank(one) - rank(other)).slice(0, FONT_FILES_MAXIMUM)
}

/** Empty if the folder, or one in it, may not be read. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  } catch {
    return []
  }
}
