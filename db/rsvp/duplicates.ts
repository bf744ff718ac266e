import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import { db, type Transaction } from '#db/storage/client.ts'
import { identityOf } from '#db/values/identity.ts'
import { readStored } from './read.ts'
import type { StoredRsvp } from './schema.ts'
import { hasEmail, isLive, oneOf } from './search.ts'
import { lastWordFirst } from './stored.ts'
import { rsvps } from './table.ts'

// RSVPs are duplicates if they are not deleted, for the same service, and have the same e-mail, regardless of case, and
// the same name as `identityOf` compares it. Without an e-mail, two RSVPs are never duplicates. Anonymizing removes the
// e-mail, so it first marks the superseded ones. The newest is the one that was sent or changed last. The others are superseded, and no
// people are counted from them. The filter `same` of search.ts follows the same rule.

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

/**
 * The RSVPs of each person with several for one service, the newest first, of all services or of one. Reads only those
 * whose e-mail occurs twice.
 */
export async function findDuplicates(week?: string) {
  const { id, serviceDate, email, name, createdAt, changedAt } = rsvps
  const sameEmail = sql`${email} COLLATE NOCASE`
  // SQLite uses the index `rsvps_same_email` only with exactly these conditions.
  const isCounted = and(isNull(rsvps.deletedAt), sql`${email} <> ''`)
  const shared = db
    .select({ serviceDate, email })
    .from(rsvps)
    .where(and(isCounted, week === undefined ? undefined : eq(serviceDate, week)))
    .groupBy(serviceDate, sameEmail)
    .having(gt(count(), 1))
    .as('shared')
  const sent = await db
    .select({ id, serviceDate, email, name, createdAt, changedAt })
    .from(shared)
    .crossJoin(rsvps)
    .where(and(isCounted, eq(serviceDate, shared.serviceDate), eq(sameEmail, shared.email)))
  return Array.from(Map.groupBy(sent, personOf).values()).flatMap((same) => {
    const [newest, ...earlier] = lastWordFirst(same) ?? []
    return newest !== undefined && earlier.length > 0 ? [{ newest, earlier }] : []
  })
}

/** The ids of the superseded RSVPs of all services, or of one, including anonymized ones. */
export async function listSuperseded(week?: string): Promise<number[]> {
  const marked = await db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(and(rsvps.superseded, week === undefined ? undefined : eq(rsvps.serviceDate, week)))
  const found = (await findDuplicates(week)).flatMap(({ earlier }) => earlier)
  return Array.from(new Set([...found, ...marked].map(({ id }) => id)))
}

/** Marks those of these RSVPs that are superseded, and those that they supersede, in the write that anonymizes them. */
export async function markSuperseded(tx: Transaction, ids: number[]): Promise<void> {
  const due = new Set(ids)
  const found = await findDuplicates()
  const marked = found.filter(({ newest, earlier }) => [newest, ...earlier].some(({ id }) => due.has(id)))
  const superseded = marked.flatMap(({ earlier }) => earlier.map(({ id }) => id))
  await tx.update(rsvps).set({ superseded: true }).where(oneOf(superseded))
}
