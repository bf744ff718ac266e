import { withPlainDigits } from '#db/values/numbers.ts'

/** Digits of any script with what people write between them, after a `+`, a bracket or both. Another number ends it. */
const digits =
  /(?:[+＋(（[]\p{Zs}?){0,3}\p{Nd}(?:(?!\p{Zs}+[/／\p{Pd}]\p{Zs}+[+＋0(（])[\p{Zs}\t\p{Pd}()（）[\].．/／·−]{0,4}\p{Nd})*/u
const extension =
  /[\p{Zs},;]*(?:ext(?:ensi[oó]n)?|x|durchwahl|dw|poste|ramal|anexo|interno|내선|تحويلة|#)[\p{Zs}.:=\p{Pd}]*(?<extension>\p{Nd}{1,7})(?!\p{Nd})/u

/** A number as people write it, with its extension, e.g. `+44 (0)20 7946 0018 ext. 12`. */
export const writtenNumber = `(?<number>${digits.source})(?:${extension.source})?`
export type WrittenNumber = { number?: string; extension?: string }

/** In the digits and marks of ASCII. */
export function plainNumber(number: string): string {
  return withPlainDigits(number.normalize('NFKC')).replace(/[\p{Pd}−]/gu, '-')
}

/** What a phone dials: after the code of a country without the zero in brackets, which Italy (39) keeps. */
export function phoneLink({ number = '', extension }: WrittenNumber): string {
  const plain = plainNumber(number).replace(/^([([ ]*(?:\+|00) ?(?!39)\d[^([]*)[([] *0 *[)\]]/, '$1')
  const dialed = (/^\D*\+/.test(plain) ? '+' : '') + plain.replace(/\D/g, '')
  return `tel:${dialed}${extension ? `;ext=${withPlainDigits(extension)}` : ''}`
}
