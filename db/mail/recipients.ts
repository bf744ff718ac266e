import { addDays } from 'date-fns/addDays'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { administrators } from '#db/access/table.ts'
import type { Call } from '#db/operation.ts'
import type { Audience, PrayerAccess } from '#db/prayer/schema.ts'
import { prayers } from '#db/prayer/table.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { queueMail } from './queue.ts'
import type { MailChoice } from './schema.ts'

/** For how many days it is tried to send a prayer request. */
const PRAYER_DAYS = 3

export type Recipient = Awaited<ReturnType<typeof listRecipients>>[number]

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

/** Whether someone with this access reads the prayer requests for this audience. */
export function readsPrayersFor(audience: Audience, access: PrayerAccess): boolean {
  return access === 'pastor' || (access === 'group' && audience !== 'pastor')
}

/** Tells a prayer request at once to those who may read it, in the transaction that stores it. */
export async function queuePrayerMail(tx: Transaction, prayerId: number, { now, sendsMail }: Call): Promise<void> {
  if (sendsMail !== true) return
  const [prayer] = await tx.select({ audience: prayers.audience }).from(prayers).where(eq(prayers.id, prayerId))
  if (prayer === undefined) return
  const readers = (await listRecipients('prayers')).filter((person) => readsPrayersFor(prayer.audience, person.prayers))
  const dueAt = now.toISOString()
  const endsAt = addDays(now, PRAYER_DAYS).toISOString()
  const about = { kind: 'prayer' as const, prayerId, dueAt, endsAt }
  const mails = readers.map(({ id }) => ({ ...about, key: `prayer ${prayerId} ${id}`, administratorId: id }))
  await queueMail(tx, mails, now)
}
