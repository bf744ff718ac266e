import { addMinutes } from 'date-fns/addMinutes'
import { millisecondsInMinute } from 'date-fns/constants'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notBetween, or, type SQL, sql } from 'drizzle-orm'
import { takeFromEach } from '#db/access/allowance.ts'
import { getChurch } from '#db/church/operations.ts'
import { findRemovalDoubt } from '#db/clock/clock.ts'
import type { Mail } from '#db/config/config.ts'
import type { Call } from '#db/operation.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { overridable } from '#db/test-override.ts'
import { tallyOne } from '#db/values/tallies.ts'
import { levelOfMailbox } from './confirm.ts'
import { deliveries, NO_ADDRESS } from './operations.ts'
import type { QueuedMail } from './queue.ts'
import { byMailbox, forVisitors } from './schema.ts'
import { beginsLike, isStopped, mailboxOf, stopPath } from './stops.ts'
import { mailQueue, mailState } from './table.ts'
import { type Delivery, type Message, sendLetter, UNKNOWN } from './transport.ts'

/** Longer than one message takes. Another process sends this long after one was killed. */
const LEASE_MS = overridable('MAIL_LEASE_MS', 2 * millisecondsInMinute)
const LONGEST_DELAY_MIN = 60
/** How many messages become one, at most. */
const TOGETHER_MAXIMUM = 100
/** Anyone can send prayer requests: those that come faster reach an administrator together. */
const prayersPerAdministrator = { atOnce: 2, everyMs: 30 * millisecondsInMinute }

const TOO_LATE = 'It could not be sent before its time was over.'
const NOT_MADE = 'The message could not be made: the log of the site has the error.'

/**
 * Makes the message from what the database says now.
 * @param linkTo adds the origin to a path of the site.
 * @param also others of the same kind and for the same mailbox, which it says as well.
 * @returns undefined if there is nothing to send any more, e.g. because the RSVP was withdrawn.
 */
export type Compose = (
  mail: QueuedMail,
  linkTo: (path: string) => string,
  now: Date,
  also?: QueuedMail[],
) => Promise<Message | undefined>

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

const { id, key, kind, dueAt, endsAt, sendingAt, failure, administratorId } = mailQueue
const isOpen = and(isNull(mailQueue.sentAt), isNull(mailQueue.failedAt))

/** Whether a message is due, or its sending was interrupted. */
export async function isMailDue(now: Date): Promise<boolean> {
  return (await db.$count(mailQueue, and(isOpen, lte(dueAt, now.toISOString())))) > 0
}

/**
 * Sends what is due, one message after the other, outside of transactions; nothing while another process does.
 * @param call makes the moment of each step.
 * @throws what `compose` throws, once the message is put off.
 */
export async function sendDue(sender: Sender, call: () => Call): Promise<void> {
  while (!sender.stopping.aborted) {
    const mails = await transaction((tx) => claimNext(tx, sender, call()))
    const [mail, ...also] = mails
    if (mail === undefined) return
    const delivery = await deliver(mail, also, sender, call()).catch(async (error) => {
      // After a bug, the other messages must not wait for this one.
      await store(mail, mails, { result: 'delayed', failure: NOT_MADE }, call().now)
      throw error
    })
    await store(mail, mails, delivery, call().now)
    // The others would wait for the same.
    if (delivery.concernsAll) return
  }
}

/** Lets another process send at once. */
export async function endLease(holder: string): Promise<void> {
  await transaction((tx) => tx.update(mailState).set({ leaseEndsAt: null }).where(eq(mailState.leaseHolder, holder)))
}

/**
 * Gives up messages whose time is over or whose sending was interrupted, and marks the next one, and those that go with
 * it: if this process ends before its result is stored, it is unknown whether it was sent. None if none is due, or another
 * process sends.
 */
async function claimNext(tx: Transaction, { holder, origin }: Sender, call: Call): Promise<QueuedMail[]> {
  const { now } = call
  const at = now.toISOString()
  const waits = and(isOpen, isNull(sendingAt))
  const isDue = and(waits, lte(dueAt, at), gt(endsAt, at))
  const isUntold = and(isDue, isNull(failure))
  const giveUp = (reason: string) => tx.update(mailQueue).set({ failedAt: at, address: null, failure: reason })
  // Its address goes with it.
  if ((await findRemovalDoubt(call)) === undefined) await giveUp(TOO_LATE).where(and(waits, lte(endsAt, at)))
  if (origin === undefined) {
    await tx.update(mailQueue).set({ failure: NO_ADDRESS }).where(isUntold)
    return []
  }
  if (!(await takeLease(tx, holder, now))) return []
  // Whoever has the lease sends nothing at this moment.
  await giveUp(UNKNOWN).where(and(isOpen, isNotNull(sendingAt)))
  for (;;) {
    const [next] = await tx.select().from(mailQueue).where(isDue).orderBy(asc(dueAt), asc(id)).limit(1)
    if (next === undefined) return []
    const mails = await listTogether(tx, next, isDue)
    const isOne = inArray(
      id,
      mails.map((mail) => mail.id),
    )
    const wait = await waitFor(tx, next, now)
    if (wait === undefined) {
      await tx
        .update(mailQueue)
        .set({ sendingAt: at, attempts: sql`${mailQueue.attempts} + 1` })
        .where(isOne)
      return mails.map((mail) => ({ ...mail, sendingAt: at, attempts: mail.attempts + 1 }))
    }
    await tx
      .update(mailQueue)
      .set({ dueAt: new Date(now.getTime() + wait).toISOString() })
      .where(isOne)
  }
}

/** A message, and those that are due as well and become one with it. */
async function listTogether(tx: Transaction, next: QueuedMail, isDue: SQL | undefined): Promise<QueuedMail[]> {
  const isAlike = and(isDue, eq(kind, next.kind))
  if (next.kind === 'prayer') {
    const isTheirs = and(isAlike, eq(administratorId, next.administratorId ?? 0))
    return tx.select().from(mailQueue).where(isTheirs).orderBy(asc(dueAt), asc(id)).limit(TOGETHER_MAXIMUM)
  }
  if (!byMailbox.includes(next.kind)) return [next]
  const email = sql<string>`coalesce(${rsvps.email}, ${standingRsvps.email}, '')`
  const queued = (condition: SQL | undefined) =>
    tx
      .select({ mail: mailQueue, email })
      .from(mailQueue)
      .leftJoin(rsvps, eq(rsvps.id, mailQueue.rsvpId))
      .leftJoin(standingRsvps, eq(standingRsvps.id, mailQueue.standingId))
      .where(condition)
      .orderBy(asc(dueAt), asc(id))
  const [{ email: own = '' } = {}] = await queued(eq(id, next.id))
  const found = await queued(and(isAlike, beginsLike(own, email)))
  const others = found.filter((other) => other.mail.id !== next.id && mailboxOf(other.email) === mailboxOf(own))
  return [next, ...others.slice(0, TOGETHER_MAXIMUM - 1).map(({ mail }) => mail)]
}

/** How many ms a message waits for others, in which more may come. */
async function waitFor(tx: Transaction, { kind, administratorId, attempts }: QueuedMail, now: Date) {
  if (kind !== 'prayer' || attempts > 0) return undefined
  const level = { name: `prayers by mail ${administratorId}`, allowance: prayersPerAdministrator }
  return (await takeFromEach(tx, [level], now))?.wait
}

/** A lease that ends later than one made now was made by a clock that was ahead. */
async function takeLease(tx: Transaction, holder: string, now: Date): Promise<boolean> {
  const { leaseHolder, leaseEndsAt } = mailState
  const end = new Date(now.getTime() + LEASE_MS).toISOString()
  const lease = { leaseHolder: holder, leaseEndsAt: end }
  const isFree = or(isNull(leaseEndsAt), eq(leaseHolder, holder), notBetween(leaseEndsAt, now.toISOString(), end))
  const upsert = { target: mailState.id, set: lease, setWhere: isFree }
  return (await tx.insert(mailState).values(lease).onConflictDoUpdate(upsert).returning()).length > 0
}

/** Dropped if there is nothing to say any more, or the address wants no messages. */
async function deliver(mail: QueuedMail, also: QueuedMail[], sender: Sender, call: Call): Promise<Delivery> {
  const { compose, origin = '', ending } = sender
  const message = await compose(mail, (path) => origin + path, call.now, also)
  const hash = await readKeyedHash()
  const isPublic = forVisitors.includes(mail.kind)
  if (message === undefined || (isPublic && (await isStopped(message.to, hash)))) return { result: 'dropped' }
  // One for each service cannot wait: it counts, so that others do.
  if (byMailbox.includes(mail.kind) && mail.attempts === 1)
    await transaction((tx) => takeFromEach(tx, [levelOfMailbox(message.to, hash)], call.now))
  const letter = {
    ...message,
    fromName: (await getChurch(call)).name ?? '',
    // The same for each attempt, so that a mailbox that gets two shows one.
    id: hash('message', `${mail.key} ${mail.createdAt}`),
    stopUrl: isPublic ? origin + stopPath(message.to, hash) : undefined,
  }
  return sendLetter(letter, sender.mail, ending)
}

async function store(mail: QueuedMail, mails: QueuedMail[], delivery: Delivery, now: Date): Promise<void> {
  tallyOne(deliveries, delivery.result)
  // A server that greylists takes a message after some minutes.
  const wait = Math.min(4 ** (mail.attempts - 1), LONGEST_DELAY_MIN)
  const at = now.toISOString()
  const ended = delivery.result === 'sent' ? { sentAt: at, failedAt: null } : { failedAt: at }
  const delayed = { dueAt: addMinutes(now, wait).toISOString(), failedAt: null, address: mail.address }
  const change = delivery.result === 'delayed' ? delayed : { ...ended, address: null }
  // A backup that was restored meanwhile has another message here, or none. Another process may have given this one up.
  const isOne = inArray(
    id,
    mails.map((each) => each.id),
  )
  const hasKey = inArray(
    key,
    mails.map((each) => each.key),
  )
  const isSame = and(isOne, hasKey, eq(sendingAt, mail.sendingAt ?? ''))
  const set = { ...change, sendingAt: null, failure: delivery.failure ?? null }
  await transaction((tx) => tx.update(mailQueue).set(set).where(isSame))
}
