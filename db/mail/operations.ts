import { and, desc, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Mail } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput, parseInput } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import { type MailState, mailRetry, testMail } from './schema.ts'
import { mailQueue } from './table.ts'

/** What waits, and what failed. */
export const getMailState = operationWithoutInput(async (call): Promise<MailState> => {
  const waiting = await db.$count(mailQueue, and(isNull(mailQueue.sentAt), isNull(mailQueue.failedAt)))
  const failed = await db.select().from(mailQueue).where(isNotNull(mailQueue.failedAt)).orderBy(desc(mailQueue.id))
  return {
    ...{ configured: call.sendsMail === true, trouble: null, waiting },
    failed: failed.map(({ id, kind, failedAt, failure }) => ({ id, kind, at: failedAt ?? '', failure: failure ?? '' })),
  }
})

/** Queues failed messages again. Returns how many. */
export const retryMail = operation(mailRetry, ({ ids }) =>
  transaction(async (tx): Promise<number> => {
    const isAsked = and(ids && inArray(mailQueue.id, ids), isNotNull(mailQueue.failedAt))
    const change = { failedAt: null, failure: null, sendingAt: null }
    return (await tx.update(mailQueue).set(change).where(isAsked).returning({ id: mailQueue.id })).length
  }),
)

/** @throws UserError 'configuration' if no server is set, 'unavailable' if it does not take the message. */
export async function sendTestMail(input: unknown, _call: Call, mail: Mail | undefined): Promise<void> {
  parseInput(testMail, input)
  if (mail === undefined) throw new UserError('configuration', 'No mail server is set: set SMTP_URL and MAIL_FROM.')
  throw new UserError('unavailable', 'The mail server cannot be reached: check SMTP_URL (ECONNECTION).')
}
