import { and, eq, inArray } from 'drizzle-orm'
import { listRecipients } from '#db/mail/mailed.ts'
import { queueMail } from '#db/mail/queue.ts'
import type { Call } from '#db/operation.ts'
import { rsvps } from '#db/rsvp/table.ts'
import type { Transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { type Audience, mayRead } from './schema.ts'
import { prayers } from './table.ts'

/** For how long it is tried to send a prayer request. */
const SENT_DAYS = 3

export type GivenPrayer = { prayer?: string | undefined; prayerAudience?: Audience | undefined }

/**
 * Stores the prayer request of an RSVP in place of the one before, and tells those who may read it; without a text there
 * is none.
 */
export async function storePrayer(tx: Transaction, rsvpId: number, given: GivenPrayer, call: Call): Promise<void> {
  const { prayer: text, prayerAudience: audience = 'pastor' } = given
  const [before] = await tx.select().from(prayers).where(eq(prayers.rsvpId, rsvpId))
  if (before !== undefined && before.text !== text) {
    const merged = tx.select({ id: rsvps.id }).from(rsvps).where(eq(rsvps.mergedInto, rsvpId))
    await tx.delete(prayers).where(and(inArray(prayers.rsvpId, merged), eq(prayers.text, before.text)))
  }
  if (text === undefined) {
    await tx.delete(prayers).where(eq(prayers.rsvpId, rsvpId))
    return
  }
  // No one has prayed for another text.
  const prayedAt = before?.text === text ? before.prayedAt : null
  const [stored] = await tx
    .insert(prayers)
    .values({ rsvpId, text, audience, createdAt: call.now.toISOString() })
    .onConflictDoUpdate({ target: prayers.rsvpId, set: { text, audience, prayedAt } })
    .returning()
  const [rsvp] = await tx.select({ suspicion: rsvps.suspicion }).from(rsvps).where(eq(rsvps.id, rsvpId))
  if (call.sendsMail !== true || stored === undefined || rsvp?.suspicion !== null) return
  const times = { dueAt: call.now.toISOString(), endsAt: daysBefore(call.now, -SENT_DAYS) }
  const about = { kind: 'prayer' as const, prayerId: stored.id, ...times }
  const readers = (await listRecipients('prayers')).filter((reader) => mayRead(reader.prayers, audience))
  // Those that were queued before are not queued again.
  const mails = readers.map(({ id }) => ({ ...about, key: `prayer ${stored.id} ${id}`, administratorId: id }))
  await queueMail(tx, mails, call.now)
}
