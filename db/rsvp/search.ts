import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { db } from '#db/storage/client.ts'
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

function offers(role: string): SQL {
  const offering = db.select({ id: volunteerSignups.rsvpId }).from(volunteerSignups)
  return inArray(rsvps.id, offering.where(eq(volunteerSignups.roleId, Number(role))))
}

/** The response and its duplicates (see duplicates.ts), even if it was deleted meanwhile. */
function isSameAs(id: number): SQL | undefined {
  const { serviceDate, email, name } = rsvps
  const sent = db.select({ serviceDate, email, name }).from(rsvps).where(eq(rsvps.id, id))
  const isSame = sql`(${serviceDate}, ${email} COLLATE NOCASE, ${name} COLLATE NOCASE) = ${sent}`
  return or(eq(rsvps.id, id), and(isLive, ne(email, ''), isSame))
}

/** How many responses one statement reads: some milliseconds, in which nothing else runs. */
const SEARCHED_AT_ONCE = 500

/**
 * The ids of the responses that a filter with a search finds, newest first, in batches.
 * @param below only ids below this one.
 */
export async function* findIds(filter: RsvpSearch, below = Number.MAX_SAFE_INTEGER): AsyncGenerator<number[]> {
  for (let rest: number | undefined = below; rest !== undefined; await nextTurn()) {
    const responses: StoredRsvp[] = await readStored(
      and(lt(rsvps.id, rest), ...conditions(filter)),
      [desc(rsvps.id)],
      SEARCHED_AT_ONCE,
    )
    yield responses.filter((response) => matches(response, filter.q ?? '')).map(({ id }) => id)
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

/** Whether every word is somewhere in the response, in any case, with or without accents. */
export function matches(response: StoredRsvp, search: string): boolean {
  const text = folded(searched.map((field) => (words[field.name] ?? field.text)(response)).join('\n'))
  return folded(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Without case and accents: `jose` finds José. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
