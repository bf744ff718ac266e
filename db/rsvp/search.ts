import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, count, desc, lt, min, type SQL, sql } from 'drizzle-orm'
import { type FieldName, fieldsIn } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { conditions } from './conditions.ts'
import type { RsvpSearch } from './schema.ts'
import { familyMembers } from './table.ts'

/** How many responses one statement searches: some milliseconds, in which nothing else has a turn. */
const SEARCHED_AT_ONCE = 2000

/** Fields whose text is not in a column of their own. */
const lists: Partial<Record<keyof StoredRsvp, SQL>> = {
  familyMembers: sql`(SELECT group_concat(member.name, char(10)) FROM ${familyMembers} AS member
    WHERE member.rsvp_id = ${rsvps}.id)`,
  volunteerSignups: sql`(SELECT group_concat(role.name, char(10)) FROM ${volunteerSignups} AS signup
    JOIN ${volunteerRoles} AS role ON role.id = signup.role_id WHERE signup.rsvp_id = ${rsvps}.id)`,
}

const searchedText = sql.join(
  fieldsIn('search').map(({ name }) => sql`coalesce(${lists[name] ?? columnOf(name)}, '')`),
  sql` || char(10) || `,
)

/**
 * The ids of the responses that a filter with a search finds, newest first, in pieces. SQLite decides where a text is
 * ASCII. It knows the case and the accents of no other letter, so that it hands such texts over, to be compared here.
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

/** All of them at once. */
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

function columnOf(name: keyof StoredRsvp) {
  if (name === 'familyMembers' || name === 'volunteerSignups') throw new Error(`${name} has no column.`)
  return rsvps[name]
}

const searched = fieldsIn('search')
/** The text to search in a field, where it is not the one shown. */
const words: Partial<Record<FieldName, (response: StoredRsvp) => string>> = {
  familyMembers: ({ familyMembers }) => familyMembers.map((member) => member.name).join('\n'),
}

/** Whether every word is somewhere in the response, in any case, with or without accents. */
export function matches(response: StoredRsvp, search: string): boolean {
  return hasWords(searched.map((field) => (words[field.name] ?? field.text)(response)).join('\n'), wordsOf(search))
}

/** The words of a search, as `hasWords` compares them. */
function wordsOf(search: string): string[] {
  return folded(search)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Whether every word is somewhere in the text. */
function hasWords(text: string, searchedWords: string[]): boolean {
  const comparable = folded(text)
  return searchedWords.every((word) => comparable.includes(word))
}

/** As people type when they search: `jose` finds José. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
