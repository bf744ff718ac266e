import { withPlainDigits } from '#db/values/numbers.ts'

/** A number as people write it, e.g. `+44 (0)20 7946 0018`, `030/1234567` or `(555) 123-4567`. */
export const WRITTEN_NUMBER = String.raw`\+?\(?\p{Nd}(?:[\p{Nd} ().-]|/(?=\p{Nd}))*`

/** The link that dials a number, after a country code without the zero in brackets. */
export function phoneLink(number: string): string {
  const dialed = withPlainDigits(number).replace(/^(\+[\d ]+)\(0\)/, '$1')
  return `tel:${dialed.replace(/[^\d+]/g, '')}`
}
