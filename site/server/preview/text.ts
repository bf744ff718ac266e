import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'

export const SERIF = 'Preview Serif'
export const SANS = 'Preview Sans'

/** A text with the font files that have all of its characters. */
export type Typeset = { text: string; fontFiles: string[] }

/** Where a text has to fit: it takes the first of the sizes in which it does. */
export type Room = { family: string; sizes: number[]; width: number; rows: number }

/** Lines that fit, and their size. */
export type Lines = { lines: string[]; size: number }

const FONT_FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.local/share/fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  'C:\\Windows\\Fonts',
]
/** Each that lacks a character is opened for it: thousands would take longer than the picture may. */
const FONT_FILES_MAXIMUM = 1000
const UNSUITABLE = /italic|oblique|mono|condensed|light|thin|black|symbol|emoji/i
/** A character that no font has: it is drawn as an empty box. */
const MISSING = '\u{10fffd}'
const MEASURED_SIZE = 100
/** Words of scripts that need no blanks may break after each character. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u
const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u20e3\ufe0e\ufe0f]|\u200d/u
/** Drawn on the character before it, or not at all. */
const MARK = /[\p{Mn}\p{Cf}]/u

/**
 * Finds the fonts of a text: ours, and those of this computer that have the characters which ours lack. Emoji that no font
 * has are left out. undefined where other characters would be empty boxes, or nothing is left.
 * @param own font files of ours.
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

/** The text in the largest size in which it fits; in the smallest it is cut. */
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

/** Breaks a text into lines that fit, and into one more than there is room for where it is longer. */
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

/** Ends with an ellipsis in place of what is missing. */
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

/** Without controls, and without marks that turn the direction of what follows. */
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

/** Those that suit a headline first. */
function systemFonts(): string[] {
  const rank = (path: string) => (UNSUITABLE.test(path) ? 2 : 0) + (/bold/i.test(path) ? 0 : 1)
  const files = FONT_FOLDERS.flatMap(filesIn).filter((path) => /\.(ttf|otf|ttc)$/i.test(path))
  return files.sort((one, other) => rank(one) - rank(other)).slice(0, FONT_FILES_MAXIMUM)
}

/** None where the folder, or one in it, may not be read. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  } catch {
    return []
  }
}
