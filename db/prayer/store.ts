import { eq } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import type { Transaction } from '#db/storage/client.ts'
import type { Audience } from './schema.ts'
import { prayers } from './table.ts'

export type GivenPrayer = { prayer?: string | undefined; prayerAudience?: Audience | undefined }

/** Stores the prayer request of an RSVP in place of the one before; without a text there is none. */
export async function storePrayer(tx: Transaction, rsvpId: number, given: GivenPrayer, { now }: Call): Promise<void> {
  const { prayer: text, prayerAudience: audience = 'pastor' } = given
  if (text === undefined) {
    await tx.delete(prayers).where(eq(prayers.rsvpId, rsvpId))
    return
  }
  await tx
    .insert(prayers)
    .values({ rsvpId, text, audience, createdAt: now.toISOString() })
    .onConflictDoUpdate({ target: prayers.rsvpId, set: { text, audience } })
}
