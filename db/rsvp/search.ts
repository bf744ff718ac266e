import { setImmediate as nextTurn } from 'node:timers/promises'
import anyAscii from 'any-ascii'
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { db } from '#db/storage/client.ts'
import { identityOf } from '#db/values/identity.ts'
import { emailAddress } from '#db/values/schemas.ts'
import { type FieldName, fieldsIn, removed } from './fields.ts'
import { readStored } from './read.ts'
import type { RsvpSearch, StoredRsvp } from './schema.ts'
import { rsvps, volunteerSignups } from './table.ts'

/** Not deleted. Only these are counted and, unless deleted ones are requested, listed. */
export const isLive = isNull(rsvps.deletedAt)
/** Deleted, but not withdrawn by its sender; see `momentOfWithdrawal`. */
export const isDeletedByChurch = and(
  isNotNull(rsvps.deletedAt),
  or(isNull(rsvps.changedAt), ne(rsvps.deletedAt, rsvps.changedAt)),
)

/** Not anonymized: something is left to remove. An empty e-mail proves nothing: people who call may have none. */
export const isNamed = or(
  ne(rsvps.email, removed.email),
  ne(rsvps.name, removed.name),
  isNotNull(rsvps.phone),
  isNotNull(rsvps.message),
) as SQL

/** The SQL conditions of a filter, except for its search words, which `findIds` handles. */
export function conditions(filter: RsvpSearch): (SQL | undefined)[] {
  const { status, since, deleted, email, role, suspicious, same, week, standing, standingUntil } = filter
  return [
    deleted === 'true' ? isNotNull(rsvps.deletedAt) : email === undefined ? isLive : undefined,
    status === undefined ? undefined : eq(rsvps.attending, status === 'attending'),
    since === undefined ? undefined : gte(rsvps.createdAt, new Date(since).toISOString()),
    email === undefined ? undefined : hasEmail(email),
    role === undefined ? undefined : offers(role),
    suspicious === undefined ? undefined : isNotNull(rsvps.suspicion),
    same === undefined ? undefined : isSameAs(Number(same)),
    week === undefined ? undefined : eq(rsvps.serviceDate, week),
    standing === undefined ? undefined : isNotNull(rsvps.standingId),
    standingUntil === undefined ? undefined : or(isNull(rsvps.standingId), lte(rsvps.serviceDate, standingUntil)),
  ]
}

/** For any number of ids. */
export function oneOf(ids: number[]): SQL {
  return sql`${rsvps.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

/** Ignores upper and lower case. */
export function hasEmail(email: string, table: { email: SQLiteColumn } = rsvps): SQL {
  return sql`lower(${table.email}) = ${email.toLowerCase()}`
}

/** Whoever does not attend keeps the roles, in case that changes, but fills none. */
function offers(role: string): SQL | undefined {
  const offering = db.select({ id: volunteerSignups.rsvpId }).from(volunteerSignups)
  return and(rsvps.attending, inArray(rsvps.id, offering.where(eq(volunteerSignups.roleId, Number(role)))))
}

/** The response and its duplicates (see duplicates.ts), even if it was deleted meanwhile. */
function isSameAs(id: number): SQL | undefined {
  const { serviceDate, email, identity } = rsvps
  const sent = db.select({ serviceDate, email, identity }).from(rsvps).where(eq(rsvps.id, id))
  const isSame = sql`(${serviceDate}, ${email} COLLATE NOCASE, ${identity}) = ${sent}`
  return or(eq(rsvps.id, id), and(isLive, ne(email, ''), isSame))
}

/** How many responses one statement reads: some milliseconds, in which nothing else runs. */
const SEARCHED_AT_ONCE = 500

/**
 * The ids of the responses that a filter with a search finds, newest first, in batches.
 * @param below only ids below this one.
 */
export async function* findIds(filter: RsvpSearch, below = Number.MAX_SAFE_INTEGER): AsyncGenerator<number[]> {
  const isFound = matching(filter.q ?? '')
  for (let rest: number | undefined = below; rest !== undefined; await nextTurn()) {
    const responses: StoredRsvp[] = await readStored(
      and(lt(rsvps.id, rest), ...conditions(filter)),
      [desc(rsvps.id)],
      SEARCHED_AT_ONCE,
    )
    yield responses.filter(isFound).map(({ id }) => id)
    rest = responses.length < SEARCHED_AT_ONCE ? undefined : responses.at(-1)?.id
  }
}

export async function findAllIds(filter: RsvpSearch): Promise<number[]> {
  return (await Array.fromAsync(findIds(filter))).flat()
}

const searched = fieldsIn('search')
/** The text to search in a field, if it is not the one shown. */
const words: Partial<Record<FieldName, (response: StoredRsvp) => string>> = {
  familyMembers: ({ familyMembers }) => familyMembers.map((member) => member.name).join('\n'),
}

const SEPARATORS = /[\s,;:/|&"<>،؛\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}]+/u
const PUNCTUATION_AROUND = /^(?:(?!@)\p{P})+|(?:(?!@)\p{P})+$/gu
const ADDRESS = /[^\s,;<>"]+@[^\s,;<>"]+/g
/** Numbers as people write those of telephones. */
const NUMBER = /(?<![^\s,;:(<"])[+(]*\d[\d\s()./\p{Pd}]*\d(?![^\s,;)>"])/gu
const NUMBER_IN_TEXT = /\d[\d ()./]*\d/g
/** Numbers with fewer digits may be parts of others, so only with this many is the beginning left out. */
const WHOLE_NUMBER = 7
const COUNTRY_CODE_MAXIMUM = 3

/**
 * Tells whether every word of a search is somewhere in a response: in any case, with or without accents and punctuation,
 * in any form of its letters and digits, and numbers however they are divided. Scripts other than Greek and Cyrillic stay
 * apart from Latin: otherwise `li` would find every 李.
 */
export function matching(search: string): (response: StoredRsvp) => boolean {
  const given = spellings(search.replace(ADDRESS, (address) => emailAddress.safeParse(address).data ?? address))
  const numbers = given.plain.match(NUMBER) ?? []
  const spelled = wordsIn(given.spelled)
  const sought = wordsIn(given.plain).map((plain, at) => ({ plain, spelled: spelled[at] ?? plain }))
  // A search for nothing but punctuation means it.
  if (sought.length + numbers.length === 0) sought.push({ plain: given.plain.trim(), spelled: given.plain.trim() })
  return (response) => {
    const shown = searched.map((field) => (words[field.name] ?? field.text)(response)).join('\n')
    const text = spellings(shown.replace(/\p{Pd}/gu, ''))
    return (
      sought.every((word) => text.plain.includes(word.plain) || text.spelled.includes(word.spelled)) &&
      numbers.every((number) => hasNumber(text.plain, number))
    )
  }
}

function wordsIn(search: string): string[] {
  const pieces = search.replace(NUMBER, ' ').split(SEPARATORS)
  return pieces.map((piece) => piece.replace(PUNCTUATION_AROUND, '')).filter((word) => word !== '')
}

function hasNumber(text: string, number: string): boolean {
  return (text.match(NUMBER_IN_TEXT) ?? []).some((written) => isSameNumber(digitsOf(written), digitsOf(number)))
}

/** The zero before an area code, and the code of a country, are often left out. */
function isSameNumber(written: string, sought: string): boolean {
  if (written.includes(sought)) return true
  const [whole, other] = [written.replace(/^0+/, ''), sought.replace(/^0+/, '')]
  if (Math.min(whole.length, other.length) < WHOLE_NUMBER) return false
  const isNational = /^0[^0]/.test(sought)
  const isWithCountry = other.endsWith(whole) && other.length - whole.length <= COUNTRY_CODE_MAXIMUM
  return whole.includes(other) || (!isNational && isWithCountry)
}

function digitsOf(number: string): string {
  return number.replace('(0)', '').replace(/\D/g, '')
}

/** E.g. `muller` and `mueller` of Müller, and in Latin letters what is Greek or Cyrillic: `olga` of Ольга. */
function spellings(text: string): { plain: string; spelled: string } {
  const lower = text.normalize('NFC').toLowerCase()
  const plain = folded(lower)
  const spelled = lower
    .replace(/[äöüøåđ]/g, (letter) => digraphs[letter] ?? `${folded(letter)}e`)
    .replace(/[\p{Script=Greek}\p{Script=Cyrillic}]+/gu, anyAscii)
  return { plain, spelled: spelled === lower ? plain : folded(spelled) }
}

const digraphs: Record<string, string> = { å: 'aa', đ: 'dj' }

/** Without accents, apostrophes and what cannot be seen, with digits as 0 to 9: `jose` of josé, `lukasz` of łukasz. */
function folded(text: string): string {
  return text.replace(/['`]|[^\p{ASCII}\s]/gu, foldedCharacter)
}

/** Kept, which halves the time of a search. */
const foldedCharacters = new Map<string, string>()

function foldedCharacter(character: string): string {
  const letters = foldedCharacters.get(character) ?? foldOne(character)
  foldedCharacters.set(character, letters)
  return letters
}

function foldOne(character: string): string {
  const letters = identityOf(character)
    .normalize('NFKD')
    .replace(/['\u0621\p{M}]/gu, '')
  return letters.replace(/(?=\P{ASCII})[\p{Script=Latin}\p{Nd}]/gu, anyAscii).replace(/[\u0621-\u06d5]/g, sameLetter)
}

/** More forms of one Arabic letter than are the same in a name. */
const forms = ['يے', 'اٱ', 'هةہھە']

function sameLetter(letter: string): string {
  return forms.find((form) => form.includes(letter))?.charAt(0) ?? letter
}
