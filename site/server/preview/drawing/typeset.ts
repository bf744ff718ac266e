import type { Font } from './font.ts'
import { findFonts } from './system-fonts.ts'

/** A text with the fonts that have all of its characters. */
export type Typeset = { text: string; fonts: Font[] }

/** Lines that fit, and their size. */
export type Lines = { lines: string[]; size: number }

/** Words of scripts that need no blanks may break after each character. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/**
 * Finds the fonts of a text. Emoji that no font has are left out. undefined where other characters would be empty boxes,
 * or nothing is left.
 * @param own fonts of ours, the preferred one first.
 */
export function typeset(text: string, own: Font[]): Typeset | undefined {
  const has = (character: string) => own.some((font) => font.has(character))
  const shown = Array.from(plain(text)).filter((character) => has(character) || !isPictograph(character))
  const spaced = shown.join('').replace(/\s+/g, ' ').trim()
  if (spaced === '') return undefined
  const missing = Array.from(new Set(spaced)).filter((character) => !has(character) && !isMark(character))
  const others = missing.length === 0 ? [] : findFonts(missing)
  return others && { text: spaced, fonts: [...own, ...others] }
}

function widthOf({ text, fonts }: Typeset, size: number): number {
  let width = 0
  for (const character of text) width += fonts.find((font) => font.has(character))?.widthOf(character) ?? 0
  return width * size
}

/** The text in the largest size in which it fits; in the smallest it is cut. */
export function fitLines(
  set: Typeset,
  { sizes, width, rows }: { sizes: number[]; width: number; rows: number },
): Lines {
  for (const size of sizes) {
    const lines = wrap(set, size, width)
    const fits = lines.length <= rows && lines.every((line) => widthOf({ ...set, text: line }, size) <= width)
    if (fits) return { lines, size }
  }
  const size = sizes.at(-1) ?? 0
  const lines = wrap(set, size, width)
  const kept = lines.slice(0, rows)
  const last = kept.length - 1
  const isCut = lines.length > rows
  return {
    size,
    lines: kept.map((line, index) => cut({ ...set, text: line }, size, width, isCut && index === last)),
  }
}

function wrap(set: Typeset, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of piecesOf(set.text)) {
    const longer = line + piece
    if (line !== '' && widthOf({ ...set, text: longer.trimEnd() }, size) > width) {
      lines.push(line.trimEnd())
      line = piece.trimStart()
    } else line = longer
  }
  return [...lines, line.trimEnd()]
}

function piecesOf(text: string): string[] {
  return text.split(/(?<= )/).flatMap((word) => (UNSPACED.test(word) ? Array.from(word) : [word]))
}

/** Ends with an ellipsis where something is missing. */
function cut(set: Typeset, size: number, width: number, hasMore: boolean): string {
  if (!hasMore && widthOf(set, size) <= width) return set.text
  const characters = Array.from(set.text)
  while (characters.length > 0 && widthOf({ ...set, text: `${characters.join('')}…` }, size) > width) characters.pop()
  return `${characters.join('').replace(/[\s,;:.–-]+$/, '')}…`
}

/** Without controls, and without marks that turn the direction of what follows. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\p{Bidi_Control}\p{Co}\p{Cn}\p{Cs}]/gu, '')
}

function isPictograph(character: string): boolean {
  return /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u20e3\ufe0e\ufe0f]|\u200d/u.test(
    character,
  )
}

/** Is drawn on the character before it, or not at all. */
function isMark(character: string): boolean {
  return /[\p{Mn}\p{Cf}]/u.test(character)
}
