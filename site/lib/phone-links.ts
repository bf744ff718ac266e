import { withPlainDigits } from '#db/values/numbers.ts'

/** Hours end a number: `030 1234567 10-12`. */
const hours = '(?! \\d\\d?(?:[.:]\\d\\d| ?- ?\\d\\d?(?!\\d)| ?(?:h|am|pm|uhr)\\b))'
const digits = `[+(]{0,2}\\d{1,5}\\)?(?:[ .-]?\\(\\d{1,5}\\))?(?: ?[/-] ?|${hours}[ .]|)\\d+(?:${hours}[ .-]\\d+)*`
const extension =
  '[ ,;(]*(?:ext(?:ensi[oó]n)?|x|durchwahl|dw|poste|ramal|anexo|interno|내선|تحويلة|#)[ .:=-]*(?<extension>\\d{1,7})(?!\\d)'

/** A number as people write it, in plain marks, with its extension, e.g. `+44 (0)20 7946 0018 ext. 12`. */
export const writtenNumber = `(?<number>${digits})(?:${extension})?`
export type WrittenNumber = { number?: string; extension?: string }

/** With the digits, brackets and marks of ASCII, each in its place. */
export function inPlainMarks(text: string): string {
  return withPlainDigits(text)
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(/[\p{Zs}\t]/gu, ' ')
    .replace(/[（［[]/g, '(')
    .replace(/[）］\]]/g, ')')
    .replace(/＋/g, '+')
    .replace(/／/g, '/')
    .replace(/[．·]/g, '.')
}

/** What a phone dials: after the code of a country without the zero in brackets, which Italy (39) keeps. */
export function phoneLink({ number = '', extension }: WrittenNumber): string {
  const international = number.replace(/^(\(?(?:\+|00) ?(?!39)\d[^(]*)\( *0 *\)/, '$1')
  const dialed = (/^\(?\+/.test(international) ? '+' : '') + international.replace(/\D/g, '')
  return `tel:${dialed}${extension ? `;ext=${extension}` : ''}`
}
