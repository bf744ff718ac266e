import * as z from 'zod/mini'

/** A row's id as written in an address or on a command line: digits only, no sign, no leading zero, at most 15 of them. */
export const idText = z.pipe(
  z.string().check(z.regex(/^[1-9][0-9]{0,14}$/, 'An id is a whole number, e.g. 12.')),
  z.transform(Number),
)
