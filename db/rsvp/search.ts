import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  and,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  min,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { db } from '#db/storage/client.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { type FieldName, fieldsIn, removed } from './fields.ts'
import type { RsvpSearch, StoredRsvp } from './schema.ts'
import { familyMembers, rsvps, volunteerSignups } from './table.ts'

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
  const { status, since, deleted, email, role, suspicious, same, week } = filter
  return [
    deleted === 'true' ? isNotNull(rsvps.deletedAt) : email === undefined ? isLive : undefined,
    status === undefined ? undefined : eq(rsvps.attending, status === 'attending'),
    since === undefined ? undefined : gte(rsvps.createdAt, new Date(since).toISOString()),
    email === undefined ? undefined : hasEmail(email),
    role === undefined ? undefined : offers(role),
    suspicious === undefined ? undefined : isNotNull(rsvps.suspicion),
    same === undefined ? undefined : isSameAs(Number(same)),
    week === undefined ? undefined : eq(rsvps.serviceDate, week),
  ]
}

/** For any number of ids. */
export function oneOf(ids: number[]): SQL {
  return sql`${rsvps.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

/** Ignores upper and lower case. */
export function hasEmail(email: string): SQL {
  return sql`lower(${rsvps.email}) = ${email.toLowerCase()}`
}

function offers(role: string): SQL {
  const offering = db.select({ id: volunteerSignups.rsvpId }).from(volunteerSignups)
  return inArray(rsvps.id, offering.where(eq(volunteerSignups.roleId, Number(role))))
}

/** The response and its duplicates (see duplicates.ts), even if it was deleted meanwhile. */
function isSameAs(id: number): SQL | undefined {
  const sent = alias(rsvps, 'sent')
  const isSameText = (one: SQLiteColumn, other: SQLiteColumn) => sql`${one} = ${other} COLLATE NOCASE`
  const isSame = and(
    isLive,
    ne(rsvps.email, ''),
    eq(sent.serviceDate, rsvps.serviceDate),
    isSameText(sent.email, rsvps.email),
    isSameText(sent.name, rsvps.name),
  )
  const same = db
    .select({ id: sent.id })
    .from(sent)
    .where(and(eq(sent.id, id), isSame))
  return or(eq(rsvps.id, id), exists(same))
}

/** How many responses one statement searches: some milliseconds, in which nothing else runs. */
const SEARCHED_AT_ONCE = 2000

/** The text of each field: a column, or rows of its own. */
const sources = {
  ...getTableColumns(rsvps),
  familyMembers: sql`(SELECT group_concat(member.name, char(10)) FROM ${familyMembers} AS member
    WHERE member.rsvp_id = ${rsvps}.id)`,
  volunteerSignups: sql`(SELECT group_concat(role.name, char(10)) FROM ${volunteerSignups} AS signup
    JOIN ${volunteerRoles} AS role ON role.id = signup.role_id WHERE signup.rsvp_id = ${rsvps}.id)`,
}

const searchedText = sql.join(
  fieldsIn('search').map(({ name }) => sql`coalesce(${sources[name]}, '')`),
  sql` || char(10) || `,
)

/**
 * The ids of the responses that a filter with a search finds, newest first, in batches. SQLite compares texts in ASCII.
 * It knows neither case nor accents of other letters, so it returns such texts to be compared here.
 * @param below only ids below this one.
 */
export async function* findIds(filter: RsvpSearch, below = Number.MAX_SAFE_INTEGER): AsyncGenerator<number[]> {
  const words = wordsOf(filter.q ?? '')
  let rest: number | null = below
  while (rest !== null) {
    const slice = await searchSlice(filter, words, rest)
    yield slice.found.filter(([, text]) => text === null || hasWords(text, words)).map(([id]) => id)
    rest = slice.searched < SEARCHED_AT_ONCE ? null : slice.oldest
    await nextTurn()
  }
}

export async function findAllIds(filter: RsvpSearch): Promise<number[]> {
  const ids: number[] = []
  for await (const some of findIds(filter)) for (const id of some) ids.push(id)
  return ids
}

type Slice = { searched: number; oldest: number | null; found: [id: number, text: string | null][] }

async function searchSlice(filter: RsvpSearch, words: string[], below: number): Promise<Slice> {
  const newest = db
    .select({ id: rsvps.id, text: sql<string>`${searchedText}`.as('text') })
    .from(rsvps)
    .where(and(lt(rsvps.id, below), ...conditions(filter)))
    .orderBy(desc(rsvps.id))
    .limit(SEARCHED_AT_ONCE)
    .as('newest')
  const isForeign = sql`${newest.text} GLOB '*[^' || char(1) || '-' || char(127) || ']*'`
  const hasAll = words.map((word) => sql`instr(lower(${newest.text}), ${word}) > 0`)
  const candidates = sql`${isForeign} OR (${sql.join([sql`true`, ...hasAll], sql` AND `)})`
  const [slice] = await db
    .select({
      searched: count(),
      oldest: min(newest.id),
      found: sql<string>`json_group_array(json_array(${newest.id}, iif(${isForeign}, ${newest.text}, NULL)))
        FILTER (WHERE ${candidates})`,
    })
    .from(newest)
  if (slice === undefined) throw new Error('Counting returned no row.')
  return { ...slice, found: JSON.parse(slice.found) }
}

const searched = fieldsIn('search')
/** The text to search in a field, if it is not the one shown. */
const words: Partial<Record<FieldName, (response: StoredRsvp) => string>> = {
  familyMembers: ({ familyMembers }) => familyMembers.map((member) => member.name).join('\n'),
}

/** Whether every word is somewhere in the response, in any case, with or without accents. */
export function matches(response: StoredRsvp, search: string): boolean {
  return hasWords(searched.map((field) => (words[field.name] ?? field.text)(response)).join('\n'), wordsOf(search))
}

/** The words of a search, as `hasWords` compares them. */
function wordsOf(search: string): string[] {
  return folded(search).split(/\s+/)
}

function hasWords(text: string, searchedWords: string[]): boolean {
  const comparable = folded(text)
  return searchedWords.every((word) => comparable.includes(word))
}

/** Without case and accents: `jose` finds José. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
