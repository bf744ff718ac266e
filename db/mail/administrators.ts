import { and, asc, desc, eq, gt, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import { isPresent } from '#db/access/administrators.ts'
import { administrators } from '#db/access/table.ts'
import type { Call } from '#db/operation.ts'
import { type Audience, mayRead } from '#db/prayer/schema.ts'
import { isAtLeast } from '#db/roles.ts'
import { listSuperseded } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { isLive } from '#db/rsvp/search.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import type { QueuedMail } from './message.ts'
import { queueMail } from './queue.ts'
import type { MailChoice } from './schema.ts'
import { mailQueue } from './table.ts'

/** For how long it is tried to send a prayer request. */
const PRAYER_DAYS = 3

/** The administrators who have chosen to get something by mail, and may see it. A digest says who cannot come. */
export async function listRecipients(choice: MailChoice) {
  const { id, name, email, role, seesContacts, prayers, mail } = administrators
  const people = await db
    .select({ id, name, email, role, seesContacts, prayers, mail })
    .from(administrators)
    .where(isPresent)
  return people.filter(({ mail, role, prayers }) => {
    const maySee = { sheet: true, digest: isAtLeast('clerk', role), prayers: prayers !== 'none' }
    return mail.includes(choice) && maySee[choice]
  })
}

/** Who gets a message, and as whom that person calls; undefined if the message is no longer wanted or allowed. */
export async function findRecipient({ administratorId }: QueuedMail, choice: MailChoice) {
  const found = (await listRecipients(choice)).find(({ id }) => id === administratorId)
  if (!found?.email) return undefined
  const { email: to, role, ...person } = found
  return { to, caller: { role, administrator: { ...person, session: 0, provenAt: 0 } } }
}

/** Tells a prayer request at once to those who may read it, in the transaction that stores it. */
export async function queuePrayerMail(
  tx: Transaction,
  { id: prayerId, audience }: { id: number; audience: Audience },
  { now, sendsMail }: Call,
): Promise<void> {
  if (sendsMail !== true) return
  const readers = (await listRecipients('prayers')).filter(({ prayers }) => mayRead(prayers, audience))
  const times = { dueAt: now.toISOString(), endsAt: daysBefore(now, -PRAYER_DAYS) }
  const about = { kind: 'prayer' as const, prayerId, ...times }
  const mails = readers.map(({ id }) => ({ ...about, key: `prayer ${prayerId} ${id}`, administratorId: id }))
  await queueMail(tx, mails, now)
}

/**
 * The RSVPs that visitors have sent since the last digest of an administrator, the oldest first. Those that are written
 * from a standing RSVP or entered by an administrator are no news.
 */
export async function listNews({ administratorId, dueAt: until }: QueuedMail): Promise<StoredRsvp[]> {
  const { kind, dueAt, failedAt } = mailQueue
  const isOwn = and(eq(mailQueue.administratorId, administratorId ?? 0), eq(kind, 'digest'))
  const [last] = await db
    .select({ dueAt })
    .from(mailQueue)
    .where(and(isOwn, lt(dueAt, until), isNull(failedAt)))
    .orderBy(desc(dueAt))
    .limit(1)
  const since = last?.dueAt ?? daysBefore(until, 1)
  const isNew = and(isLive, isNotNull(rsvps.linkHash), gt(rsvps.createdAt, since), lte(rsvps.createdAt, until))
  const sent = await readStored(isNew, [asc(rsvps.serviceDate), asc(rsvps.id)])
  const superseded = sent.length === 0 ? [] : await listSuperseded()
  return sent.filter(({ id }) => !superseded.includes(id))
}
