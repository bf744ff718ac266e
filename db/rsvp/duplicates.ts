import { and, eq, type SQL, sql } from 'drizzle-orm'
import { db, type Transaction } from '#db/storage/client.ts'
import { rsvps } from './table.ts'

// Only this file defines which RSVPs are duplicates: not deleted, for the same service, with the same e-mail and the
// same name regardless of case; both are stored trimmed. Without an e-mail, two RSVPs are never duplicates. Anonymizing
// removes the e-mail, so it first marks the superseded ones. The newest is the one that was sent or changed last. The
// others are superseded, and no people are counted from them.

/** Who sent an RSVP, and for which service. */
export type Sender = { serviceDate: string; email: string; name: string }

type Superseded = { id: number; newest: number; serviceDate: string }

/**
 * The superseded RSVPs of all services, or of one. Scans the index `rsvps_same_email`, and reads rows only of e-mails
 * that occur twice; it sorts them instead of comparing each with each.
 */
export async function findSuperseded(week?: string): Promise<Superseded[]> {
  const wanted = week === undefined ? sql`` : sql`AND service_date = ${week}`
  const row = sql.raw('sent')
  return db
    .select({ id: sql<number>`id`, newest: sql<number>`newest`, serviceDate: sql<string>`service_date` })
    .from(
      sql`(SELECT sent.id AS id, sent.service_date AS service_date, first_value(sent.id) OVER last_word_first AS newest
        FROM (SELECT service_date, email FROM ${rsvps} WHERE deleted_at IS NULL AND email <> '' ${wanted}
          GROUP BY service_date, email COLLATE NOCASE HAVING count(*) > 1) AS shared
        CROSS JOIN ${rsvps} AS sent ON ${sharesEmail(row, sql.raw('shared'))}
        WINDOW last_word_first AS (PARTITION BY sent.service_date, sent.email COLLATE NOCASE, sent.name COLLATE NOCASE
          ORDER BY coalesce(sent.changed_at, sent.created_at) DESC, sent.id DESC))`,
    )
    .where(sql`id <> newest`)
}

/** The ids of the superseded RSVPs of all services, or of one, including anonymized ones. */
export async function listSuperseded(week?: string): Promise<number[]> {
  const marked = await db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(and(rsvps.superseded, week === undefined ? undefined : eq(rsvps.serviceDate, week)))
  const ids = [...(await findSuperseded(week)), ...marked].map(({ id }) => id)
  return Array.from(new Set(ids))
}

/** Marks those of these RSVPs that are superseded, and those that they supersede, in the write that anonymizes them. */
export async function markSuperseded(tx: Transaction, ids: number[]): Promise<void> {
  const older = sql.raw('older')
  await tx
    .update(rsvps)
    .set({ superseded: true })
    .where(
      sql`${rsvps.id} IN (SELECT older.id FROM ${rsvps} AS due JOIN ${rsvps} AS older ON ${isSame(older, sql.raw('due'))}
      WHERE due.id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${isSuperseded('older')})`,
    )
}

/** @param row the name of `rsvps` in the query. */
export function isSuperseded(row: string): SQL {
  const [older, newer] = [sql.raw(row), sql.raw(`${row}_newer`)]
  // Starts with the highest id, nearly always the newest RSVP; EXISTS would start with the lowest.
  return sql`(${older}.superseded OR (SELECT 1 FROM ${rsvps} AS ${newer}
    WHERE ${isSame(newer, older)} AND ${lastWord(newer)} > ${lastWord(older)}
    ORDER BY ${newer}.id DESC LIMIT 1) IS NOT NULL)`
}

/** Whether two rows are duplicates of each other, or the same row. */
export function isSame(one: SQL, other: SQL): SQL {
  return sql`${sharesEmail(one, other)} AND ${one}.name = ${other}.name COLLATE NOCASE
    AND ${other}.deleted_at IS NULL AND ${other}.email <> ''`
}

/** The same rule for a sender whose RSVP is not stored. */
export function isBy({ serviceDate, email, name }: Sender): SQL {
  return sql`(${rsvps.serviceDate} = ${serviceDate} AND ${rsvps.email} = ${email} COLLATE NOCASE
    AND ${rsvps.name} = ${name} COLLATE NOCASE AND ${rsvps.deletedAt} IS NULL AND ${rsvps.email} <> '')`
}

/** The sort key: the newest RSVP has the greatest. */
export function lastWord(row: SQL): SQL {
  return sql`(coalesce(${row}.changed_at, ${row}.created_at), ${row}.id)`
}

/** SQLite uses the index only with exactly these conditions. */
function sharesEmail(row: SQL, other: SQL): SQL {
  return sql`${row}.service_date = ${other}.service_date AND ${row}.email = ${other}.email COLLATE NOCASE
    AND ${row}.deleted_at IS NULL AND ${row}.email <> ''`
}
