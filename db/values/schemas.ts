import * as z from 'zod/mini'
import { isDay } from './dates.ts'
import { parseUrl } from './url.ts'

/** SQLite cuts a text at NUL, and UTF-8 cannot encode half of a surrogate pair. */
const unstorable = /\0|\p{Surrogate}/u

/** Blanks, controls and invisible characters (zero-width joiners, Hangul fillers, the Braille blank). */
const invisible = /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Accents for letters of any script. Vowel signs of one script count as letters, because a name may have only one more. */
const accents = /\p{Script=Inherited}/gu

/** The number of visible characters. An accent is part of its letter, however it is encoded. */
export function visibleLength(text: string): number {
  return Array.from(text.normalize('NFC').replace(invisible, '').replace(accents, '')).length
}

/** A maximum length for texts and lists. Zod's own check would also read the length of refused values of any type. */
export function atMost<Value extends { length: number }>(maximum: number, error: string | (() => string)) {
  return z.refine<Value>((value) => value.length <= maximum, { error, abort: true })
}

/** A list whose length is checked before its items, because a reply must not hold 20,000 errors. */
export function listOf<Item extends z.ZodMiniType>(item: Item, maximum: number, none: string, tooMany: string) {
  return z.pipe(z.array(z.unknown(), none).check(atMost(maximum, tooMany)), z.array(item))
}

/** The size of a page of a list, as a number, or as text in an address. */
export function pageSize(maximum: number) {
  const error = `A page size is a whole number from 1 to ${maximum}.`
  return z.coerce.number(error).check(z.refine((size) => Number.isInteger(size) && size >= 1 && size <= maximum, error))
}

/** A trimmed text that storage does not change, of at most `maximum` UTF-16 code units. */
export function storableText(label: string, maximum: number) {
  return z.string(`${label} must be text.`).check(
    z.trim(),
    // Built only when needed, because formatting the first number takes 10 ms.
    atMost(maximum, () => `${label} may have at most ${maximum.toLocaleString('en-US')} characters.`),
    z.refine((text) => !unstorable.test(text), `${label} holds a character that cannot be stored. Type it again.`),
  )
}

/** An optional value; null and blank texts count as not given. */
export function absentWhenEmpty<Output>(schema: z.ZodMiniType<Output>) {
  const emptyToAbsent = z.transform((value: unknown): unknown =>
    value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value,
  )
  return z.optional(z.pipe(emptyToAbsent, z.optional(schema)))
}

const noSuchDay = 'Give a day of the calendar, e.g. 2026-11-21.'

const wrongYear = 'Give a day of the years 2000 to 2199, e.g. 2026-11-21.'

/** A day that exists, e.g. `2026-11-21`. Another century is a typing error. */
export const calendarDay = z.string(noSuchDay).check(
  z.refine(isDay, { error: noSuchDay, abort: true }),
  z.refine((day) => /^2[01]/.test(day), wrongYear),
)

/** An id in an address or on a command line: at most 15 digits, without a sign or a leading zero. */
export const idDigits = z.string().check(z.regex(/^[1-9][0-9]{0,14}$/, 'An id is a whole number, e.g. 12.'))

/** An id in an address or on a command line, read as a number. */
export const idText = z.pipe(idDigits, z.transform(Number))

export const PASSWORD_MINIMUM = 12
export const PASSWORD_MAXIMUM = 128

/** Trimmed, because some devices add blanks at the ends of a password. */
export const newPassword = storableText('The password', PASSWORD_MAXIMUM).check(
  z.minLength(
    PASSWORD_MINIMUM,
    `A password needs at least ${PASSWORD_MINIMUM} characters. Three or four words will do.`,
  ),
)

export const PERSON_NAME_MAXIMUM = 200

/** The name of a person: at least two visible characters. */
export const personName = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' ? value : '')),
  storableText('The name', PERSON_NAME_MAXIMUM).check(
    z.refine((name) => visibleLength(name) > 0, { error: 'Name is required', abort: true }),
    z.refine((name) => visibleLength(name) > 1, 'Write the name with at least two letters.'),
  ),
)

/** The longest text with an address in it that may be pasted. */
const PASTED_MAXIMUM = 1000
export const EMAIL_MAXIMUM = 254
const invalidEmail = 'Invalid email address'

/** What a browser's email field accepts, with a dot in the domain. Drops what was pasted around it. */
export const emailAddress = z.string(invalidEmail).check(
  atMost(PASTED_MAXIMUM, invalidEmail),
  z.overwrite(plainAddress),
  z.refine((text) => !/@.*[\s,;<].*@/s.test(text), { error: 'Give one address.', abort: true }),
  atMost(EMAIL_MAXIMUM, invalidEmail),
  z.email({ pattern: z.regexes.html5Email, error: invalidEmail, abort: true }),
  z.regex(/^.{1,64}@.+\./, invalidEmail),
)

/** The address in e.g. `Ana Cole <mailto:ana@cole.example>,`, its domain in ASCII, full-width letters as plain ones. */
function plainAddress(pasted: string): string {
  const text = pasted
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll('。', '.')
    .replace(/[’‘ʼ]/g, "'")
  const [, enclosed = text] = /^[^<>@]*<([^<>]*)>[\s,;"'”]*$/.exec(text) ?? []
  const address = enclosed.replace(/^[\s"“(]*(?:mailto:)?/i, '').replace(/[\s.,;"”)]+$/, '')
  const at = address.indexOf('@') + 1
  return address.slice(0, at) + asciiDomain(address.slice(at))
}

function asciiDomain(domain: string): string {
  // Any other character could end the host of the URL.
  if (!/\P{ASCII}/u.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return domain
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}

/** Scheme and host only, e.g. `https://rsvp.example.org`. */
export function isOrigin(url: string): boolean {
  const parsed = parseUrl(url)
  if (parsed === undefined) return false
  const { protocol, pathname, search, hash, username } = parsed
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '' && username === ''
}
