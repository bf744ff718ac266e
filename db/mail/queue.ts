import { and, desc, gt, inArray, isNotNull, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { mailRetry } from '#db/values/mail.ts'
import { daysBefore } from '#db/values/time-zone.ts'

export type QueuedMail = typeof mailQueue.$inferSelect
/** How the keys of messages begin that replace the links which a merge has ended. */
export const MERGED_LINK = 'link after merge'

export type NewMail = Omit<typeof mailQueue.$inferInsert, 'createdAt'>

const KEPT_DAYS = 30
const LISTED_MAXIMUM = 100

const { id, kind, sendingAt, sentAt, failedAt, failure, endsAt } = mailQueue
const waits = and(isNull(sentAt), isNull(failedAt))
const isDelayed = and(waits, isNotNull(failure), isNull(sendingAt))
/** Without a failure there was nothing to say any more. */
const isFailed = and(isNotNull(failedAt), isNotNull(failure))

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

/** What waits, and what failed in the last 30 days. */
export async function getMailState(call: Call) {
  const listed = { id, kind, at: failedAt, failure }
  const [waiting, [held], failed] = await Promise.all([
    db.$count(mailQueue, waits),
    db.select({ failure }).from(mailQueue).where(isDelayed).orderBy(desc(id)).limit(1),
    db.select(listed).from(mailQueue).where(isFailed).orderBy(desc(failedAt), desc(id)).limit(LISTED_MAXIMUM),
  ])
  return {
    configured: call.sendsMail === true,
    trouble: held?.failure ?? null,
    waiting,
    failed: failed.map((mail) => ({ ...mail, at: mail.at ?? '', failure: mail.failure ?? { message: '' } })),
  }
}

/**
 * Queues failed messages again, also those of which it is unknown whether they were sent, unless their time is over or
 * their address is no longer known. Without ids, those that were delayed are due as well. Returns how many.
 */
export async function retryMail(input: unknown, call: Call) {
  const { ids } = parseInput(mailRetry, input)
  return transaction(async (tx): Promise<number> => {
    const now = call.now.toISOString()
    const asked = ids === undefined ? undefined : inArray(id, ids)
    // The first attempt was counted for its mailbox.
    const attempts = sql`min(${mailQueue.attempts}, 1)`
    const change = { failedAt: null, sendingAt: null, failure: null, attempts, dueAt: now }
    // With the failure of a link that a visitor asked for, its address was removed.
    const isGivenUp = and(asked, isFailed, ne(kind, 'link'))
    const isAgain = and(gt(endsAt, now), asked ? isGivenUp : or(isGivenUp, isDelayed))
    const again = await tx.update(mailQueue).set(change).where(isAgain).returning({ id })
    if (again.length > 0) await audit(tx, call, 'messages queued again', String(again.length))
    return again.length
  })
}

/**
 * Deletes what was sent or given up 30 days ago, or was over then and waits because no mail is sent any more. Until its
 * service is over, it stays known who was told that it is skipped.
 */
export async function forgetOldMail({ now }: Call): Promise<void> {
  const before = daysBefore(now, KEPT_DAYS)
  const isEnded = or(lt(sentAt, before), lt(failedAt, before))
  const isOld = or(and(isEnded, notInArray(kind, ['skipped', 'held'])), lt(endsAt, before))
  await transaction((tx) => tx.delete(mailQueue).where(isOld), { repeatable: true })
}
