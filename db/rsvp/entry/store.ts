import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { markIfLater } from '#db/clock/clock.ts'
import { PUBLIC_NAME_RULE, publicNameOf } from '#db/rsvp/names.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { RequestDigest } from '#db/rsvp/submit/idempotency.ts'
import { erasedKeys, familyMembers, rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import type { EnteredRsvp } from './schema.ts'

/** A response as its row holds it, with what becomes rows of its own. */
export type Entry = EnteredRsvp &
  RequestDigest &
  Pick<StoredRsvp, 'serviceDate' | 'createdAt'> &
  Partial<Pick<StoredRsvp, 'changedAt'>>

/**
 * The writes that store responses with their family members and roles, for one batch: first the rows, of which it returns
 * the ids, then what belongs to them. Nothing is stored of a response whose key was used before.
 * @param wanted leaves out entries, e.g. those that are stored already; an entry is called `item`.
 * @param keptFrom the moment from which the retention counts; null is the moment at which the response came.
 */
export function storeEntries(
  entries: Entry[],
  { wanted = sql`true`, keptFrom = markIfLater(field('createdAt')) }: { wanted?: SQL; keptFrom?: SQL } = {},
) {
  const rows = entries.map(({ familyMembers: _, volunteerRoles: __, ...row }) => ({
    ...row,
    publicName: publicNameOf(row.name),
    publicNameRule: PUBLIC_NAME_RULE,
  }))
  const values = Object.entries(getTableColumns(rsvps)).map((column) => storedValue(column, keptFrom))
  const members = entries.flatMap((entry) => listOf(entry, entry.familyMembers))
  const signups = entries.flatMap((entry) => listOf(entry, entry.volunteerRoles))
  // Only of responses that this batch has stored: for a key that was used before, the moment does not match.
  const made = sql`${rsvps.key} = ${field('key')} AND ${rsvps.bodyHash} IS ${field('bodyHash')}
    AND ${rsvps.createdAt} = ${field('createdAt')}`
  return [
    db
      .insert(rsvps)
      .select(
        sql`SELECT ${sql.join(values, sql`, `)} FROM ${itemsOf(rows)}
          WHERE NOT EXISTS (SELECT 1 FROM ${erasedKeys} WHERE ${erasedKeys.key} = ${field('key')}) AND ${wanted}
          ORDER BY item.key`,
      )
      .onConflictDoNothing()
      .returning({ id: rsvps.id }),
    db
      .insert(familyMembers)
      .select(
        sql`SELECT ${rsvps.id}, member.key, member.value ->> 'name', member.value ->> 'age', member.value ->> 'attending'
          FROM ${itemsOf(members)} JOIN ${rsvps} ON ${made} JOIN json_each(item.value, '$.list') AS member WHERE true`,
      )
      .onConflictDoNothing(),
    db
      .insert(volunteerSignups)
      .select(
        sql`SELECT ${rsvps.id}, role.value FROM ${itemsOf(signups)} JOIN ${rsvps} ON ${made}
          JOIN json_each(item.value, '$.list') AS role WHERE true`,
      )
      .onConflictDoNothing(),
  ] as const
}

/** What belongs to a response, and no more: a libSQL server takes about 10 MB in one transaction. */
function listOf({ key, bodyHash, createdAt }: Entry, list: unknown[]): object[] {
  return list.length === 0 ? [] : [{ key, bodyHash, createdAt, list }]
}

function itemsOf(entries: object[]): SQL {
  return sql`json_each(${JSON.stringify(entries)}) AS item`
}

/** A field of an entry. */
export function field(name: string): SQL {
  return sql`item.value ->> ${sql.raw(`'${name}'`)}`
}

/** What goes into a column: the field of its name, or else its default. */
function storedValue([name, column]: [string, Column], keptFrom: SQL): SQL {
  if (name === 'id') return sql`NULL`
  if (name === 'keptFrom') return keptFrom
  if (column.default === undefined) return field(name)
  return sql`coalesce(${field(name)}, ${sql.param(column.default, column)})`
}
