import type { Transaction } from '#db/storage/client.ts'
import { mailQueue } from './table.ts'

export type NewMail = Pick<typeof mailQueue.$inferInsert, 'key' | 'kind' | 'dueAt' | 'endsAt'> &
  Partial<
    Pick<
      typeof mailQueue.$inferInsert,
      'rsvpId' | 'standingId' | 'prayerId' | 'administratorId' | 'address' | 'language'
    >
  >

/** Queues messages, except those whose key is known. */
export async function queueMail(tx: Transaction, mails: NewMail[], now: Date): Promise<void> {
  if (mails.length === 0) return
  const createdAt = now.toISOString()
  await tx
    .insert(mailQueue)
    .values(mails.map((mail) => ({ ...mail, createdAt })))
    .onConflictDoNothing()
}
