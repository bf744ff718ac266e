import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { audit, recordAct } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import type { Config } from '#db/config/config.ts'
import { db, transaction } from '#db/storage/client.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { administrators } from '#db/tables/access.ts'
import { storedSettings } from '#db/tables/invitation.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { UserError } from '#db/values/errors.ts'
import { mailRetry, testMail } from '#db/values/mail.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { readSenderName } from './deliver.ts'
import { sendLetter } from './transport.ts'

const KEPT_DAYS = 30
const LISTED_MAXIMUM = 100

const { id, kind, sendingAt, sentAt, failedAt, failure, endsAt } = mailQueue
const waits = and(isNull(sentAt), isNull(failedAt))
const isDelayed = and(waits, isNotNull(failure), isNull(sendingAt))
/** Without a failure there was nothing to say any more. */
const isFailed = and(isNotNull(failedAt), isNotNull(failure))

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
 * Sends a message at once, to try the settings: to the administrator who asks, or without one to MAIL_FROM. A command can
 * name any address. Returns to which.
 * @throws UserError 'configuration' if no server is set, 'forbidden' for the address of someone else, 'not-sent' with the
 * reason if the server does not take the message.
 */
export async function sendTestMail(
  input: unknown,
  call: Call,
  { mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>,
  translated = (sentence: string) => sentence,
): Promise<{ to: string }> {
  const { to: named } = parseInput(testMail, input)
  if (mail === undefined) throw new UserError('no-mail-server')
  const { administrator, actor } = call
  const [own] =
    administrator === undefined
      ? []
      : await db.select().from(administrators).where(eq(administrators.id, administrator.id))
  const allowed = own?.email ?? mail.from
  const to = named ?? allowed
  if (actor !== 'terminal' && to.toLowerCase() !== allowed.toLowerCase()) throw new UserError('test-elsewhere').at('to')
  const fromName = await readSenderName()
  const text = translated('This is a test. The RSVP site can send mail.')
  const message = { to, subject: translated('A test of the RSVP site'), text: `${text}\n`, html: `<p>${text}</p>` }
  const [settings] = await db.select({ publicUrl: storedSettings.publicUrl }).from(storedSettings)
  const origin = publicUrl ?? settings?.publicUrl ?? undefined
  const { failure } = await sendLetter({ ...message, id: randomUUID(), fromName }, mail, { origin })
  if (failure !== undefined) throw failure
  // The mail server may have taken all of the time of the request.
  await withDeadline(() => recordAct({ action: 'test message sent' }, call))
  return { to }
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
