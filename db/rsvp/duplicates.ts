import { and, eq, exists, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { db, type Transaction } from '#db/storage/client.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { identityOf } from '#db/values/identity.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { newestFirst } from '#db/values/stored-rsvp.ts'
import { hasEmail, isLive, oneOf, readStored } from './read.ts'

// RSVPs are duplicates if they are not deleted, for the same service, and have the same e-mail, regardless of case, and
// the same name as `identityOf` compares it. Without an e-mail, two RSVPs are never duplicates. Anonymizing removes the
// e-mail, so it first marks the superseded ones. The newest is the one that was sent or changed last. The others are
// superseded, and no people are counted from them. The filter `same` of search.ts follows the same rule.

/** Who sent an RSVP, and for which service. */
export type Sender = Pick<StoredRsvp, 'serviceDate' | 'email' | 'name'>

/** Whether two RSVPs that are not deleted are duplicates, or the same. */
export function isSame(one: Sender, other: Sender): boolean {
  return one.email !== '' && personOf(one) === personOf(other)
}

/** Identifies who sent an RSVP for a service. Of the e-mail only the case of ASCII letters is ignored, as by SQLite. */
export function personOf({ serviceDate, email, name }: Sender): string {
  return JSON.stringify([serviceDate, email, identityOf(name)]).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The RSVPs of this sender that are not deleted. */
export async function readSame(sender: Sender): Promise<StoredRsvp[]> {
  const sent = await readStored(and(isLive, eq(rsvps.serviceDate, sender.serviceDate), hasEmail(sender.email)))
  return sent.filter((rsvp) => isSame(rsvp, sender))
}

const other = alias(rsvps, 'other')
const lastChangeOf = (table: typeof rsvps | typeof other) => sql`coalesce(${table.changedAt}, ${table.createdAt})`

/** Selects RSVPs that have a duplicate with this condition. */
function hasDuplicate(which: SQL): SQL {
  const isSamePerson = sql`${other.email} COLLATE NOCASE = ${rsvps.email} AND ${other.identity} = ${rsvps.identity}`
  // SQLite uses the index `rsvps_same_email` only with exactly these conditions.
  const isCounted = sql`${other.deletedAt} IS NULL AND ${other.email} <> ''`
  const duplicates = db
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.serviceDate, rsvps.serviceDate), isSamePerson, isCounted, which))
  return and(isLive, exists(duplicates)) as SQL
}

const isNewer = sql`(${lastChangeOf(other)}, ${other.id}) > (${lastChangeOf(rsvps)}, ${rsvps.id})`

/** Whether no people are counted from an RSVP, because its sender has sent another one since. */
export const isSuperseded = or(rsvps.superseded, hasDuplicate(isNewer)) as SQL

/** The RSVPs of each person with several for one service, the newest first, of all services or of one. */
export async function findDuplicates(week?: string) {
  const { id, serviceDate, email, name, createdAt, changedAt } = rsvps
  const sent = await db
    .select({ id, serviceDate, email, name, createdAt, changedAt })
    .from(rsvps)
    .where(and(hasDuplicate(ne(other.id, id)), week === undefined ? undefined : eq(serviceDate, week)))
  return Array.from(Map.groupBy(sent, personOf).values()).flatMap((same) => {
    const [newest, ...earlier] = newestFirst(same) ?? []
    return newest !== undefined && earlier.length > 0 ? [{ newest, earlier }] : []
  })
}

/** The ids of the superseded RSVPs of all services, or of one, including anonymized ones. */
export async function listSuperseded(week?: string): Promise<number[]> {
  const isWanted = and(isSuperseded, week === undefined ? undefined : eq(rsvps.serviceDate, week))
  return (await db.select({ id: rsvps.id }).from(rsvps).where(isWanted)).map(({ id }) => id)
}

/** Marks those of these RSVPs that are superseded, and those that they supersede, in the write that anonymizes them. */
export async function markSuperseded(tx: Transaction, ids: number[]): Promise<void> {
  const isNewerOfThese = sql`${isNewer} AND ${other.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const isOneOfThese = and(oneOf(ids), isSuperseded)
  await tx
    .update(rsvps)
    .set({ superseded: true })
    .where(or(isOneOfThese, hasDuplicate(isNewerOfThese)))
}
