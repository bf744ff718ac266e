import { setTimeout as delay } from 'node:timers/promises'
import { millisecondsInMinute } from 'date-fns/constants'
import { and, asc, eq, isNotNull, isNull, lte, ne, or } from 'drizzle-orm'
import { getChurch } from '#db/church/operations.ts'
import type { Mail } from '#db/config/config.ts'
import { isOutage } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { overridable } from '#db/test-override.ts'
import { tallyOne } from '#db/values/tallies.ts'
import type { Compose, QueuedMail } from './message.ts'
import { deliveries, NO_ADDRESS } from './operations.ts'
import { forVisitors } from './schema.ts'
import { isStopped, stopPath } from './stops.ts'
import { mailQueue, mailState } from './table.ts'
import { type Delivery, type Letter, sendLetter, UNKNOWN } from './transport.ts'

/** Longer than one message takes. Another process sends this long after one was killed. */
const LEASE_MS = overridable('MAIL_LEASE_MS', 2 * millisecondsInMinute)
/** After each attempt. A server that greylists takes a message after some minutes. */
const DELAYS_MIN = [1, 5, 15, 30]
const LONGEST_DELAY_MIN = 60
const STORE_RETRY_MS = 1000

const TOO_LATE = 'It could not be sent before its time was over.'
const NOT_MADE = 'The message could not be made: the log of the site has the error.'

export type Sender = {
  /** A random name of this process. */
  holder: string
  mail: Mail
  compose: Compose
  /** Scheme and host of the site; undefined while unknown. */
  origin: string | undefined
  /** Stops between two messages. */
  stopping: AbortSignal
  /** Ends the sending of a message. */
  ending: AbortSignal
}

const isOpen = and(isNull(mailQueue.sentAt), isNull(mailQueue.failedAt))

/** Whether a message is due, or its sending was interrupted. */
export async function isMailDue(now: Date): Promise<boolean> {
  return (await db.$count(mailQueue, and(isOpen, lte(mailQueue.dueAt, now.toISOString())))) > 0
}

/**
 * Sends what is due, one message after the other, outside of transactions; nothing while another process does.
 * @param call makes the moment of each step.
 * @throws what `compose` throws, once the message is put off.
 */
export async function sendDue(sender: Sender, call: () => Call): Promise<void> {
  while (!sender.stopping.aborted) {
    const mail = await nextDue(sender, call().now)
    if (mail === undefined) return
    const letter = await letterOf(mail, sender, call)
    if (letter === undefined) {
      await store(mail, { result: 'dropped' }, sender, call)
      continue
    }
    const claimed = await claim(mail, sender, call().now)
    if (claimed === undefined) return
    const delivery = await sendLetter(letter, sender.mail, sender.ending)
    await store(claimed, delivery, sender, call)
    // The others would wait for the same.
    if (delivery.result === 'delayed' && delivery.concernsAll) return
  }
}

/** Lets another process send at once. */
export async function endLease(holder: string): Promise<void> {
  await transaction((tx) => tx.update(mailState).set({ leaseEndsAt: null }).where(eq(mailState.leaseHolder, holder)))
}

/** The message to send now; undefined if there is none, or another process sends. Gives up those whose time is over. */
function nextDue({ holder, origin }: Sender, now: Date): Promise<QueuedMail | undefined> {
  return transaction(async (tx) => {
    const at = now.toISOString()
    const waits = and(isOpen, isNull(mailQueue.sendingAt))
    const over = { failedAt: at, address: null }
    await tx
      .update(mailQueue)
      .set({ ...over, failure: TOO_LATE })
      .where(and(waits, lte(mailQueue.endsAt, at)))
    const isDue = and(waits, lte(mailQueue.dueAt, at))
    if (origin === undefined) {
      const isNew = or(isNull(mailQueue.failure), ne(mailQueue.failure, NO_ADDRESS))
      await tx.update(mailQueue).set({ failure: NO_ADDRESS }).where(and(isDue, isNew))
      return undefined
    }
    if (!(await takeLease(tx, holder, now))) return undefined
    // Whoever has the lease sends nothing at this moment: these were interrupted.
    await tx
      .update(mailQueue)
      .set({ ...over, failure: UNKNOWN })
      .where(and(isOpen, isNotNull(mailQueue.sendingAt)))
    const first = [asc(mailQueue.dueAt), asc(mailQueue.id)]
    const [mail] = await tx
      .select()
      .from(mailQueue)
      .where(isDue)
      .orderBy(...first)
      .limit(1)
    return mail
  })
}

/** A lease that ends later than one made now was made by a clock that was ahead. */
async function takeLease(tx: Transaction, holder: string, now: Date): Promise<boolean> {
  const [state] = await tx.select().from(mailState)
  const end = new Date(now.getTime() + LEASE_MS).toISOString()
  const { leaseHolder, leaseEndsAt } = state ?? {}
  if (leaseEndsAt && leaseHolder !== holder && leaseEndsAt > now.toISOString() && leaseEndsAt <= end) return false
  const lease = { leaseHolder: holder, leaseEndsAt: end }
  await tx.insert(mailState).values(lease).onConflictDoUpdate({ target: mailState.id, set: lease })
  return true
}

/** Undefined if there is nothing to say any more, or the address wants no messages. */
async function letterOf(mail: QueuedMail, sender: Sender, call: () => Call): Promise<Letter | undefined> {
  const { compose, origin = '' } = sender
  const message = await compose(mail, (path) => origin + path, call().now).catch(async (error) => {
    // An outage ends by itself. After a bug, the other messages must not wait for this one.
    const tried = { ...mail, attempts: mail.attempts + 1 }
    if (!isOutage(error)) await store(tried, { result: 'delayed', failure: NOT_MADE }, sender, call)
    throw error
  })
  if (message === undefined) return undefined
  const hash = await readKeyedHash()
  const isPublic = forVisitors.includes(mail.kind)
  if (isPublic && (await isStopped(message.to, hash))) return undefined
  return {
    ...message,
    fromName: (await getChurch(call())).name ?? '',
    // The same for each attempt, so that a mailbox that gets two shows one.
    messageId: `<${hash('message', `${mail.key} ${mail.createdAt}`)}@${sender.mail.from.split('@').at(-1)}>`,
    stopUrl: isPublic ? origin + stopPath(message.to, hash) : undefined,
  }
}

/** Counts the attempt; undefined if the message was sent or removed, or another process sends, meanwhile. */
function claim({ id, key, attempts }: QueuedMail, { holder }: Sender, now: Date): Promise<QueuedMail | undefined> {
  return transaction(async (tx) => {
    if (!(await takeLease(tx, holder, now))) return undefined
    const isThis = and(eq(mailQueue.id, id), eq(mailQueue.key, key), isOpen, isNull(mailQueue.sendingAt))
    const change = { sendingAt: now.toISOString(), attempts: attempts + 1 }
    const [claimed] = await tx.update(mailQueue).set(change).where(isThis).returning()
    return claimed
  })
}

type Outcome = Delivery | { result: 'dropped' } | { result: 'delayed'; failure: string }

/** Stores what became of a message; in an outage again and again, because no one else knows it. */
async function store(mail: QueuedMail, outcome: Outcome, { stopping }: Sender, call: () => Call): Promise<void> {
  tallyOne(deliveries, outcome.result)
  const { id, key, sendingAt } = mail
  // A backup that was restored meanwhile has another message here, or none.
  const isSame = sendingAt === null ? and(isOpen, isNull(mailQueue.sendingAt)) : eq(mailQueue.sendingAt, sendingAt)
  for (;;) {
    const isLast = stopping.aborted
    const change = changeAfter(outcome, mail, call().now)
    try {
      await transaction((tx) =>
        tx
          .update(mailQueue)
          .set(change)
          .where(and(eq(mailQueue.id, id), eq(mailQueue.key, key), isSame)),
      )
      return
    } catch (error) {
      if (isLast || !isOutage(error)) throw error
      await delay(STORE_RETRY_MS, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

/** What became unknown keeps the moment at which it was being sent. */
function changeAfter(outcome: Outcome, { attempts, endsAt }: QueuedMail, now: Date): Partial<QueuedMail> {
  const at = now.toISOString()
  switch (outcome.result) {
    case 'sent':
      return { sentAt: at, failedAt: null, sendingAt: null, failure: null, address: null }
    case 'dropped':
      return { failedAt: at, address: null, failure: null }
    case 'failed':
      return { failedAt: at, sendingAt: null, failure: outcome.failure, address: null }
    case 'unknown':
      return { failedAt: at, failure: outcome.failure, address: null }
    case 'delayed': {
      const wait = DELAYS_MIN[attempts - 1] ?? LONGEST_DELAY_MIN
      const next = new Date(now.getTime() + wait * millisecondsInMinute).toISOString()
      const dueAt = next < endsAt ? next : endsAt
      return { attempts, dueAt, failedAt: null, sendingAt: null, failure: outcome.failure }
    }
  }
}
