import { addDays } from 'date-fns/addDays'
import { subDays } from 'date-fns/subDays'
import { and, asc, desc, eq, gt, isNotNull, isNull, lte, ne } from 'drizzle-orm'
import { administrators } from '#db/access/table.ts'
import type { Call } from '#db/operation.ts'
import { reads } from '#db/prayer/schema.ts'
import { prayers } from '#db/prayer/table.ts'
import { listSuperseded } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { isLive } from '#db/rsvp/search.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import type { QueuedMail } from './message.ts'
import { queueMail } from './queue.ts'
import type { MailChoice } from './schema.ts'
import { mailQueue } from './table.ts'

/** For how long it is tried to send a prayer request. */
const PRAYER_DAYS = 3

type Recipient = Awaited<ReturnType<typeof listRecipients>>[number]

/** The administrators who have chosen to get something by mail. */
export async function listRecipients(choice: MailChoice) {
  const { id, name, email, role, seesContacts, prayers, mail } = administrators
  const people = await db
    .select({ id, name, email, role, seesContacts, prayers, mail })
    .from(administrators)
    .where(and(isNull(administrators.removedAt), isNotNull(email)))
  return people.flatMap(({ email: to, ...person }) =>
    to !== null && person.mail.includes(choice) ? [{ ...person, to }] : [],
  )
}

/** Who gets a message; undefined if that person does not want it any more. */
export async function findRecipient({ administratorId }: QueuedMail, choice: MailChoice) {
  return (await listRecipients(choice)).find(({ id }) => id === administratorId)
}

/** Tells a prayer request at once to those who may read it, in the transaction that stores it. */
export async function queuePrayerMail(tx: Transaction, prayerId: number, { now, sendsMail }: Call): Promise<void> {
  if (sendsMail !== true) return
  const [prayer] = await tx.select({ audience: prayers.audience }).from(prayers).where(eq(prayers.id, prayerId))
  const readers = (await listRecipients('prayers')).filter((person) => prayer && reads(person.prayers, prayer.audience))
  const about = { kind: 'prayer' as const, prayerId, dueAt: now.toISOString() }
  const endsAt = addDays(now, PRAYER_DAYS).toISOString()
  const mails = readers.map(({ id }) => ({ ...about, key: `prayer ${prayerId} ${id}`, administratorId: id, endsAt }))
  await queueMail(tx, mails, now)
}

/** The prayer request of a message; undefined if it is erased, or not for this person any more. */
export async function findMailedPrayer({ prayerId }: QueuedMail, { prayers: access }: Recipient) {
  const { text, audience } = prayers
  const [prayer] = await db
    .select({ text, audience, name: rsvps.name })
    .from(prayers)
    .innerJoin(rsvps, eq(rsvps.id, prayers.rsvpId))
    .where(and(eq(prayers.id, prayerId ?? 0), isLive))
  return prayer && reads(access, prayer.audience) ? prayer : undefined
}

/**
 * The RSVPs that visitors have sent since the last digest of an administrator, the oldest first. Those that are written
 * from a standing RSVP or entered by an administrator are no news.
 * @param until the moment of the digest.
 * @param own the id of the digest itself, if it is queued.
 */
export async function listNews(administratorId: number, until: string, own = 0): Promise<StoredRsvp[]> {
  const isEarlier = and(eq(mailQueue.kind, 'digest'), ne(mailQueue.id, own), isNull(mailQueue.failedAt))
  const [last] = await db
    .select({ dueAt: mailQueue.dueAt })
    .from(mailQueue)
    .where(and(eq(mailQueue.administratorId, administratorId), isEarlier))
    .orderBy(desc(mailQueue.dueAt))
    .limit(1)
  const since = last?.dueAt ?? subDays(until, 1).toISOString()
  const isNew = and(isLive, isNotNull(rsvps.linkHash), gt(rsvps.createdAt, since), lte(rsvps.createdAt, until))
  const sent = await readStored(isNew, [asc(rsvps.serviceDate), asc(rsvps.id)])
  const superseded = sent.length === 0 ? [] : await listSuperseded()
  return sent.filter(({ id }) => !superseded.includes(id))
}
