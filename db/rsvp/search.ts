import { and, desc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { db } from '#db/storage/client.ts'
import { rsvps, volunteerSignups } from '#db/tables/rsvp.ts'
import { identityOf } from '#db/values/identity.ts'
import { withPlainDigits } from '#db/values/numbers.ts'
import type { RsvpSearch, StoredRsvp } from '#db/values/rsvp.ts'
import { anonymousFields, type FieldName, fieldsIn } from '#db/values/rsvp-fields.ts'
import { hasEmail, isLive, readStored } from './read.ts'

/** Selects RSVPs of which something is left to anonymize. An empty e-mail proves nothing: people who call may have none. */
export const isNotAnonymous = or(
  ne(rsvps.email, anonymousFields.email),
  ne(rsvps.name, anonymousFields.name),
  isNotNull(rsvps.phone),
  isNotNull(rsvps.message),
) as SQL

/** The SQL conditions of a filter, except for its search words, which `findAllIds` handles. */
export function conditions(filter: RsvpSearch): (SQL | undefined)[] {
  const { status, deleted, email, role, suspicious, same, week, standing, standingUntil } = filter
  return [
    deleted === 'true' ? isNotNull(rsvps.deletedAt) : email === undefined ? isLive : undefined,
    status === undefined ? undefined : eq(rsvps.attending, status === 'attending'),
    email === undefined ? undefined : hasEmail(email),
    role === undefined ? undefined : offers(role),
    suspicious === undefined ? undefined : isNotNull(rsvps.suspicion),
    same === undefined ? undefined : isSameAs(Number(same)),
    week === undefined ? undefined : eq(rsvps.serviceDate, week),
    standing === undefined ? undefined : isNotNull(rsvps.standingId),
    standingUntil === undefined ? undefined : or(isNull(rsvps.standingId), lte(rsvps.serviceDate, standingUntil)),
  ]
}

/** Selects RSVPs that fill a role. Those that do not attend keep their roles, in case that changes, but fill none. */
function offers(role: string): SQL | undefined {
  const offering = db.select({ id: volunteerSignups.rsvpId }).from(volunteerSignups)
  return and(rsvps.attending, inArray(rsvps.id, offering.where(eq(volunteerSignups.roleId, Number(role)))))
}

/** Selects a response, even a deleted one, and its duplicates (see duplicates.ts). */
function isSameAs(id: number): SQL | undefined {
  const { serviceDate, email, identity } = rsvps
  const sent = db.select({ serviceDate, email, identity }).from(rsvps).where(eq(rsvps.id, id))
  const isSame = sql`(${serviceDate}, ${email} COLLATE NOCASE, ${identity}) = ${sent}`
  return or(eq(rsvps.id, id), and(isLive, ne(email, ''), isSame))
}

/**
 * The ids of the responses that a filter with a search finds, newest first.
 * @param below only ids below this one.
 */
export async function findAllIds(filter: RsvpSearch, below = Number.MAX_SAFE_INTEGER): Promise<number[]> {
  const responses = await readStored(and(lt(rsvps.id, below), ...conditions(filter)), [desc(rsvps.id)])
  return responses.filter(matching(filter.q ?? '')).map(({ id }) => id)
}

const searched = fieldsIn('search')
/** The text to search in a field, if it is not the one shown. */
const words: Partial<Record<FieldName, (response: StoredRsvp) => string>> = {
  familyMembers: ({ familyMembers }) => familyMembers.map((member) => member.name).join('\n'),
}

const SEPARATORS = /[\s,;:/|&"“”<>()]+/
/**
 * Tells whether every word of a search is somewhere in a response: in any case, with or without accents and apostrophes;
 * and a telephone number by its digits alone, however it is divided.
 */
export function matching(search: string): (response: StoredRsvp) => boolean {
  const sought = folded(search).trim()
  if (sought === '') return () => true
  const number = numbersOf(sought)
  const pieces = sought.split(SEPARATORS).filter((word) => /[\p{L}\p{N}]/u.test(word))
  // A search of nothing but punctuation looks for just that.
  const parts = (pieces.length === 0 ? [sought] : pieces).map((word) => ({ word, numbers: numbersOf(word) }))
  return (response) => {
    const phone = withPlainDigits(response.phone ?? '').replace(/\D/g, '')
    const isInPhone = (numbers: string[]) => numbers.some((digits) => phone.includes(digits))
    if (isInPhone(number)) return true
    const text = folded(searched.map((field) => (words[field.name] ?? field.text)(response)).join('\n'))
    return parts.every(({ word, numbers }) => text.includes(word) || isInPhone(numbers))
  }
}

/**
 * What to look for in telephone numbers: three digits or more. The code of a country, of up to three digits, may be
 * missing there, or stand in place of a zero.
 */
function numbersOf(sought: string): string[] {
  if (/\p{L}/u.test(sought)) return []
  const codes = /^\(?(\+|00)/.test(sought) ? [0, 1, 2, 3] : [0]
  const digits = sought.replace(/\D/g, '').replace(/^0+/, '')
  return codes.map((code) => digits.slice(code).replace(/^0+/, '')).filter((number) => number.length >= 3)
}

/** Letters that Unicode does not take apart. */
const letters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' }

/** In lower case without accents and apostrophes, with digits as 0 to 9: `jose` of José, `lukasz` of Łukasz. */
function folded(text: string): string {
  const plain = withPlainDigits(identityOf(text))
    .normalize('NFKD')
    .replace(/['\p{M}]/gu, '')
  return plain.replace(/[øłđıæœ]/g, (letter) => letters[letter] ?? letter)
}
