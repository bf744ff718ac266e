import * as z from 'zod/mini'

/** A row's id as written in an address or on a command line: digits only, no sign, no leading zero, at most 15 of them. */
export const idDigits = z.string().check(z.regex(/^[1-9][0-9]{0,14}$/, 'An id is a whole number, e.g. 12.'))

/** The same, read as a number. */
export const idText = z.pipe(idDigits, z.transform(Number))
