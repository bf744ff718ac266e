import type { Transaction } from '#db/storage/client.ts'
import { mailQueue } from './table.ts'

export type QueuedMail = typeof mailQueue.$inferSelect
/** How the keys of messages begin that replace the links which a merge has ended. */
export const MERGED_LINK = 'link after merge'

export type NewMail = Omit<typeof mailQueue.$inferInsert, 'createdAt'>

/** Queues messages, except those whose key is known. */
export async function queueMail(tx: Transaction, mails: NewMail[], now: Date): Promise<void> {
  const rows = mails.map((mail) => ({ ...mail, createdAt: now.toISOString() }))
  // One statement takes a limited number of values.
  for (let done = 0; done < rows.length; done += 500)
    await tx
      .insert(mailQueue)
      .values(rows.slice(done, done + 500))
      .onConflictDoNothing()
}
