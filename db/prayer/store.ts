import { eq } from 'drizzle-orm'
import { queuePrayerMail } from '#db/mail/administrators.ts'
import type { Call } from '#db/operation.ts'
import { rsvps } from '#db/rsvp/table.ts'
import type { Transaction } from '#db/storage/client.ts'
import type { Audience } from './schema.ts'
import { prayers } from './table.ts'

export type GivenPrayer = { prayer?: string | undefined; prayerAudience?: Audience | undefined }

/**
 * Stores the prayer request of an RSVP in place of the one before, and tells those who may read it; without a text there
 * is none.
 */
export async function storePrayer(tx: Transaction, rsvpId: number, given: GivenPrayer, call: Call): Promise<void> {
  const { prayer: text, prayerAudience: audience = 'pastor' } = given
  if (text === undefined) {
    await tx.delete(prayers).where(eq(prayers.rsvpId, rsvpId))
    return
  }
  const [before] = await tx.select().from(prayers).where(eq(prayers.rsvpId, rsvpId))
  // No one has prayed for another text.
  const prayedAt = before?.text === text ? before.prayedAt : null
  const [stored] = await tx
    .insert(prayers)
    .values({ rsvpId, text, audience, createdAt: call.now.toISOString() })
    .onConflictDoUpdate({ target: prayers.rsvpId, set: { text, audience, prayedAt } })
    .returning()
  const [rsvp] = await tx.select({ suspicion: rsvps.suspicion }).from(rsvps).where(eq(rsvps.id, rsvpId))
  // Messages that were queued before are not queued again.
  if (stored !== undefined && rsvp?.suspicion === null) await queuePrayerMail(tx, stored, call)
}
