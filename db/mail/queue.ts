import { and, desc, gt, inArray, isNotNull, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { mailRetry } from '#db/values/mail.ts'
import { daysBefore } from '#db/values/time-zone.ts'

export type QueuedMail = typeof mailQueue.$inferSelect
/** Begins the keys of messages with new links, in place of those that a merge has ended. */
export const MERGED_LINK = 'link after merge'

export type NewMail = Omit<typeof mailQueue.$inferInsert, 'createdAt'>

const KEPT_DAYS = 30
const LISTED_MAXIMUM = 100

const { id, kind, sendingAt, sentAt, failedAt, failure, endsAt } = mailQueue
const isWaiting = and(isNull(sentAt), isNull(failedAt))
const isDelayed = and(isWaiting, isNotNull(failure), isNull(sendingAt))
/** A message without a failure was dropped, because there was nothing left to send. */
const isFailed = and(isNotNull(failedAt), isNotNull(failure))

/** Queues messages, except those whose key was queued before. */
export async function queueMail(tx: Transaction, mails: NewMail[], now: Date): Promise<void> {
  const rows = mails.map((mail) => ({ ...mail, createdAt: now.toISOString() }))
  // SQLite limits the number of values in one statement.
  for (let done = 0; done < rows.length; done += 500)
    await tx
      .insert(mailQueue)
      .values(rows.slice(done, done + 500))
      .onConflictDoNothing()
}

/** How many messages wait, and which failed in the last 30 days. */
export async function getMailState(call: Call) {
  const listed = { id, kind, at: failedAt, failure }
  const [waiting, [delayed], failed] = await Promise.all([
    db.$count(mailQueue, isWaiting),
    db.select({ failure }).from(mailQueue).where(isDelayed).orderBy(desc(id)).limit(1),
    db.select(listed).from(mailQueue).where(isFailed).orderBy(desc(failedAt), desc(id)).limit(LISTED_MAXIMUM),
  ])
  return {
    configured: call.sendsMail === true,
    trouble: delayed?.failure ?? null,
    waiting,
    failed: failed.map((mail) => ({ ...mail, at: mail.at ?? '', failure: mail.failure ?? { message: '' } })),
  }
}

/**
 * Queues failed messages again, including those that may have been sent, unless they are too late or their address is no
 * longer known. Without ids, delayed messages become due as well.
 * @returns how many.
 */
export async function retryMail(input: unknown, call: Call) {
  const { ids } = parseInput(mailRetry, input)
  return transaction(async (tx): Promise<number> => {
    const now = call.now.toISOString()
    const isNamed = ids === undefined ? undefined : inArray(id, ids)
    // Stays above 0, because the first attempt has already counted against the allowance of the mailbox.
    const attempts = sql`min(${mailQueue.attempts}, 1)`
    const change = { failedAt: null, sendingAt: null, failure: null, attempts, dueAt: now }
    // A requested link has no RSVP: its address was only in the queue, and was removed with the failure.
    const isFailedWithAddress = and(isNamed, isFailed, ne(kind, 'link'))
    const isRetried = and(gt(endsAt, now), isNamed ? isFailedWithAddress : or(isFailedWithAddress, isDelayed))
    const retried = await tx.update(mailQueue).set(change).where(isRetried).returning({ id })
    if (retried.length > 0) await audit(tx, call, 'messages queued again', String(retried.length))
    return retried.length
  })
}

/**
 * Deletes messages that ended 30 days ago: they were sent, given up, or too late. Messages about skipped services stay
 * until the service is over, because they show who was informed.
 */
export async function forgetOldMail({ now }: Call): Promise<void> {
  const before = daysBefore(now, KEPT_DAYS)
  const isEnded = or(lt(sentAt, before), lt(failedAt, before))
  const isOld = or(and(isEnded, notInArray(kind, ['skipped', 'held'])), lt(endsAt, before))
  await transaction((tx) => tx.delete(mailQueue).where(isOld), { repeatable: true })
}
