import { and, eq, type SQL, sql } from 'drizzle-orm'
import { db, type Transaction } from '#db/storage/client.ts'
import { rsvps } from './table.ts'

// The one place that says which RSVPs are duplicates: not deleted, for the same service, with the same e-mail and the same
// name in whatever case; both are stored trimmed. Who gave no e-mail is not known to be the same person, nor whose e-mail
// the retention has taken: it marks who was superseded until then. The newest is the one that was sent or changed last: the
// last word of a person counts, also where it changes what was sent first. The others are superseded, and no people are
// counted from them.

/** Who sent an RSVP, and for which service. */
export type Sender = { serviceDate: string; email: string; name: string }

type Superseded = { id: number; newest: number; serviceDate: string }

/**
 * All that are superseded, or those for one service. It reads the index `rsvps_same_email` from its beginning to its end, and
 * rows only where an e-mail occurs twice; however often it does, they are sorted and not compared with each other.
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

/** The ids of all that are superseded, or of those for one service; also of those that were until they became anonymous. */
export async function listSuperseded(week?: string): Promise<number[]> {
  const marked = await db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(and(rsvps.superseded, week === undefined ? undefined : eq(rsvps.serviceDate, week)))
  const ids = [...(await findSuperseded(week)), ...marked].map(({ id }) => id)
  return Array.from(new Set(ids))
}

/** Marks those that are superseded by one of these, or are one of these, in the write that takes their names. */
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

/** Whether the row of RSVPs that a query calls `row` is superseded. */
export function isSuperseded(row: string): SQL {
  const [older, newer] = [sql.raw(row), sql.raw(`${row}_newer`)]
  // It begins with what came in last, which is nearly always the newest; EXISTS would begin with the first.
  return sql`(${older}.superseded OR (SELECT 1 FROM ${rsvps} AS ${newer}
    WHERE ${isSame(newer, older)} AND ${lastWord(newer)} > ${lastWord(older)}
    ORDER BY ${newer}.id DESC LIMIT 1) IS NOT NULL)`
}

/** Whether two rows are duplicates of each other, or the same row. */
export function isSame(one: SQL, other: SQL): SQL {
  return sql`${sharesEmail(one, other)} AND ${one}.name = ${other}.name COLLATE NOCASE
    AND ${other}.deleted_at IS NULL AND ${other}.email <> ''`
}

/** Whether an RSVP is of this person for this service: the same rule, for what is not stored. */
export function isBy({ serviceDate, email, name }: Sender): SQL {
  return sql`(${rsvps.serviceDate} = ${serviceDate} AND ${rsvps.email} = ${email} COLLATE NOCASE
    AND ${rsvps.name} = ${name} COLLATE NOCASE AND ${rsvps.deletedAt} IS NULL AND ${rsvps.email} <> '')`
}

/** What was said last is the greatest of these. */
export function lastWord(row: SQL): SQL {
  return sql`(coalesce(${row}.changed_at, ${row}.created_at), ${row}.id)`
}

/** As the index has it: without these very conditions SQLite would not use it. */
function sharesEmail(row: SQL, other: SQL): SQL {
  return sql`${row}.service_date = ${other}.service_date AND ${row}.email = ${other}.email COLLATE NOCASE
    AND ${row}.deleted_at IS NULL AND ${row}.email <> ''`
}
