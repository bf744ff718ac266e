import type { Value } from '@libsql/client'
import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Level } from '#db/access/limits/allowance.ts'
import { levelsOfAll, selectJudgment, takeForAll, withJudgment } from '#db/access/limits/shared-allowance.ts'
import { markIfLater } from '#db/clock/clock.ts'
import { PUBLIC_NAME_RULE } from '#db/rsvp/names.ts'
import type { Rsvp, StoredRsvp } from '#db/rsvp/schema.ts'
import { isOnServiceDay } from '#db/rsvp/service-dates.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { db, preparedStatement, writeShared } from '#db/storage/client.ts'
import type { SharedWrite } from '#db/storage/connection.ts'
import type { RequestDigest } from './idempotency.ts'
import { field, items } from './items.ts'
import { filledRoles, isNew, placesWithoutRoom } from './room.ts'

/** A response as its row holds it, with what becomes rows of its own; `sentKey` is its key as it was sent. */
type NewRsvp = Rsvp &
  RequestDigest &
  Pick<StoredRsvp, 'suspicion' | 'createdAt' | 'serviceDate'> & {
    publicName: string
    sentKey: string | undefined
    linkHash: string
  }
type Item = { response: NewRsvp; levels: Level[]; now: number }

/**
 * Whether each allowance had enough, whether the response counts as part of a flood, and its row if it is stored: now, or
 * before, which counts only where each allowance had enough. `filled` names those of its roles that are filled.
 */
type Insertion = {
  taken: boolean
  flooded: boolean
  stored: StoredRow | undefined
  filled: string[]
}
type StoredRow = { id: number; linkHash: string | null }

/**
 * Takes one from each allowance and stores a response with everything that belongs to it, all or nothing. All that wait
 * together are stored by the same statements. Nothing is stored where the key was used before, where one of its
 * allowances has too few for all that ask for it at this moment, where one of its roles is filled, or where services are on
 * another day of the week by now.
 */
export function insertRsvp(item: Item): Promise<Insertion> {
  return writeShared(insertion, item)
}

const isTaken = sql`item.key NOT IN (SELECT place FROM refused)`

const insertRows = preparedStatement(
  db
    .insert(rsvps)
    .select(
      sql`${withJudgment} SELECT ${sql.join(Object.entries(getTableColumns(rsvps)).map(storedValue), sql`, `)} FROM ${items}
        WHERE ${isTaken} AND ${isNew} AND ${isOnServiceDay(field('serviceDate'))}
          AND item.key NOT IN (${placesWithoutRoom(isTaken)})`,
    )
    .onConflictDoNothing(),
)

const isThis = sql`${rsvps.key} = ${field('key')} AND ${rsvps.bodyHash} IS ${field('bodyHash')}`
// Child rows are stored only with a response that this call made: for a repeated key the time does not match.
const isMade = sql`${isThis} AND ${rsvps.createdAt} = ${field('createdAt')}`

const insertMembers = preparedStatement(
  db
    .insert(familyMembers)
    .select(
      sql`SELECT ${rsvps.id}, member.key, member.value ->> 'name', member.value ->> 'age', member.value ->> 'attending'
        FROM ${items} JOIN ${rsvps} ON ${isMade} JOIN json_each(item.value, '$.familyMembers') AS member WHERE true`,
    )
    .onConflictDoNothing(),
)

const insertSignups = preparedStatement(
  db
    .insert(volunteerSignups)
    .select(
      sql`SELECT ${rsvps.id}, role.value
        FROM ${items} JOIN ${rsvps} ON ${isMade} JOIN json_each(item.value, '$.volunteerRoles') AS role WHERE true`,
    )
    .onConflictDoNothing(),
)

/**
 * Which of the items are stored, by their place, and whether by this call: a retry finds what the first try has stored.
 * Of those that are not, the roles that are filled.
 */
const selectStored = preparedStatement(
  db
    .select({ place: sql`item.key`, id: sql`${rsvps.id}`, isMade, linkHash: sql`${rsvps.linkHash}`, role: sql`NULL` })
    .from(items)
    .innerJoin(rsvps, sql`${isThis} AND ${rsvps.deletedAt} IS NULL`)
    .where(sql`${rsvps.bodyHash} IS NOT NULL OR ${isMade}`)
    .unionAll(
      db
        .select({ place: sql`place`, id: sql`NULL`, isMade: sql`NULL`, linkHash: sql`NULL`, role: sql`name` })
        .from(sql`(${filledRoles})`),
    ),
)

/** What is taken is taken last: the statements before find out who is refused. */
const statements = [selectJudgment, insertRows, insertMembers, insertSignups, selectStored, takeForAll]

const insertion: SharedWrite<Item, Insertion> = {
  statements(group) {
    const values = { items: JSON.stringify(group.map(({ response }) => response)), levels: levelsOfAll(group) }
    return statements.map((statement) => statement(values))
  },
  results(sets, group) {
    const rowsOf = (statement: (typeof statements)[number]) => sets[statements.indexOf(statement)]?.rows ?? []
    const judged = new Map(rowsOf(selectJudgment).map((row) => [row[0], Number(row[1]) === 1 ? 'marked' : 'refused']))
    const rows = new Map<Value | undefined, { made: boolean; stored: StoredRow }>()
    const filled = new Map<Value | undefined, string[]>()
    for (const [place, id, made, linkHash, role] of Array.from(rowsOf(selectStored), (row) => Array.from(row))) {
      if (typeof role === 'string') filled.set(place, [...(filled.get(place) ?? []), role])
      else rows.set(place, { made: Number(made) === 1, stored: { id: Number(id), linkHash: textOf(linkHash) } })
    }
    return group.map((_, place) => {
      const taken = judged.get(place) !== 'refused'
      const row = rows.get(place)
      // A try whose reply was lost may have stored it with the last of an allowance, which is then empty for the retry.
      const stored = taken || row?.made ? row?.stored : undefined
      return { taken, flooded: judged.get(place) === 'marked', stored, filled: filled.get(place) ?? [] }
    })
  },
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** What goes into a column: the field of its name, or else its default. */
function storedValue([name, column]: [string, Column]): SQL {
  if (name === 'id') return sql`NULL`
  if (name === 'keptFrom') return markIfLater(field('createdAt'))
  if (name === 'publicNameRule') return sql`${PUBLIC_NAME_RULE}`
  if (name === 'suspicion')
    return sql`coalesce(${field(name)}, iif(item.key IN (SELECT place FROM marked), 'flood', NULL))`
  if (column.default === undefined) return field(name)
  return sql`coalesce(${field(name)}, ${sql.param(column.default, column)})`
}
