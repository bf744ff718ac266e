import { addMinutes } from 'date-fns/addMinutes'
import { millisecondsInMinute } from 'date-fns/constants'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notBetween, or, type SQL, sql } from 'drizzle-orm'
import { takeFromEach } from '#db/access/allowance.ts'
import { getChurch } from '#db/church/operations.ts'
import type { Mail } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { levelOfMailbox } from './confirm.ts'
import type { Mails, QueuedMail } from './queue.ts'
import type { MailKind } from './schema.ts'
import { isStopped, mailboxOf, stopPath } from './stops.ts'
import { mailQueue, mailState } from './table.ts'
import { type Delivery, type Message, sendLetter } from './transport.ts'

/** Longer than one message takes. Another process sends this long after one was killed. */
const LEASE_MS = 2 * millisecondsInMinute
const LONGEST_DELAY_MIN = 15
/** The most prayer requests in one message. */
const PRAYERS_TOGETHER = 100

/**
 * Makes the message from what the database says now.
 * @param linkTo adds the origin to a path of the site.
 * @returns undefined if there is nothing to send any more, e.g. because the RSVP was withdrawn.
 */
export type Compose = (mails: Mails, linkTo: (path: string) => string, now: Date) => Promise<Message | undefined>

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

const { id, key, kind, administratorId, address, dueAt, endsAt, sendingAt, failure } = mailQueue
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
    if (mails === undefined) return
    const delivery = await deliver(mails, sender, call()).catch(async (error) => {
      // After a bug, the other messages must not wait for this one.
      await store(mails, { result: 'delayed', failure: new UserError('mail-not-made') }, call().now)
      throw error
    })
    await store(mails, delivery, call().now)
    // It may take none now: the next one is tried the next time.
    if (delivery.result === 'delayed') return
  }
}

/** Lets another process send at once. */
export async function endLease(holder: string): Promise<void> {
  await transaction((tx) => tx.update(mailState).set({ leaseEndsAt: null }).where(eq(mailState.leaseHolder, holder)))
}

/**
 * Gives up messages whose time is over or whose sending was interrupted, and marks the next one, and those that go with
 * it: if this process ends before its result is stored, it is unknown whether it was sent. Undefined if none is due, or
 * another process sends.
 */
async function claimNext(tx: Transaction, { holder, origin }: Sender, call: Call): Promise<Mails | undefined> {
  const { now } = call
  const at = now.toISOString()
  const waits = and(isOpen, isNull(sendingAt))
  const isDue = and(waits, lte(dueAt, at), gt(endsAt, at))
  const isUntold = and(isDue, isNull(failure))
  const giveUp = (why: 'mail-too-late' | 'mail-unknown') =>
    tx.update(mailQueue).set({ failedAt: at, address: null, failure: new UserError(why).refused })
  // Its address goes with it.
  await giveUp('mail-too-late').where(and(waits, lte(endsAt, at)))
  if (origin === undefined) {
    await tx
      .update(mailQueue)
      .set({ failure: new UserError('mail-without-address').refused })
      .where(isUntold)
    return undefined
  }
  if (!(await takeLease(tx, holder, now))) return undefined
  // Whoever has the lease sends nothing at this moment.
  await giveUp('mail-unknown').where(and(isOpen, isNotNull(sendingAt)))
  const [next] = await tx.select().from(mailQueue).where(isDue).orderBy(asc(dueAt), asc(id)).limit(1)
  if (next === undefined) return undefined
  const mails: Mails = [next, ...(await listOthers(tx, next, isDue))]
  const ids = mails.map((mail) => mail.id)
  await tx
    .update(mailQueue)
    .set({ sendingAt: at, attempts: sql`${mailQueue.attempts} + 1` })
    .where(inArray(id, ids))
  const claimed = ({ attempts, ...mail }: QueuedMail) => ({ ...mail, sendingAt: at, attempts: attempts + 1 })
  return mails.map(claimed) as Mails
}

const withLinks: MailKind[] = ['confirmation', 'link']

/** Those that need not wait were counted for their mailbox when they were queued, and go alone. */
function isCounted({ kind, dueAt, createdAt }: QueuedMail): boolean {
  return withLinks.includes(kind) && dueAt <= createdAt
}

/** Those that are due as well, and become one message with another one. */
async function listOthers(tx: Transaction, mail: QueuedMail, isDue: SQL | undefined): Promise<QueuedMail[]> {
  if (mail.kind === 'sheet' || mail.kind === 'digest' || isCounted(mail)) return []
  const kinds = withLinks.includes(mail.kind) ? withLinks : [mail.kind]
  // Few columns: all that is due is read for each message.
  const due = await tx
    .select({
      id,
      administratorId,
      email: sql<string>`coalesce(${rsvps.email}, ${address}, '')`,
    })
    .from(mailQueue)
    .leftJoin(rsvps, eq(rsvps.id, mailQueue.rsvpId))
    .where(and(isDue, inArray(kind, kinds)))
  const mailbox = mailboxOf(due.find((each) => each.id === mail.id)?.email ?? '')
  const others = due.filter((each) => each.id !== mail.id && each.administratorId === mail.administratorId)
  const ids = others.filter(({ email }) => mailboxOf(email) === mailbox).map((other) => other.id)
  // What anyone can send to an administrator must not become a message that no server takes.
  const most = mail.administratorId === null ? ids.length : PRAYERS_TOGETHER
  return tx.select().from(mailQueue).where(inArray(id, ids)).orderBy(asc(dueAt), asc(id)).limit(most)
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
async function deliver(mails: Mails, sender: Sender, call: Call): Promise<Delivery> {
  const [mail] = mails
  const { compose, origin = '' } = sender
  const message = await compose(mails, (path) => origin + path, call.now)
  const hash = await readKeyedHash()
  const isPublic = mail.administratorId === null
  if (message === undefined || (isPublic && (await isStopped(message.to, hash)))) return { result: 'dropped' }
  if (isPublic && mail.attempts === 1 && !isCounted(mail))
    await transaction((tx) => takeFromEach(tx, [levelOfMailbox(message.to, hash)], call.now))
  const letter = {
    ...message,
    fromName: (await getChurch(call)).name ?? '',
    // The same for each attempt, so that a mailbox that gets two shows one.
    id: hash('message', `${mail.key} ${mail.createdAt}`),
    stopUrl: isPublic ? origin + stopPath(message.to, hash) : undefined,
  }
  return sendLetter(letter, sender.mail, sender)
}

async function store(mails: Mails, delivery: Delivery, now: Date): Promise<void> {
  // A server that greylists takes a message after some minutes; after a repair, all goes out soon.
  const wait = Math.min(4 ** (mails[0].attempts - 1), LONGEST_DELAY_MIN)
  const at = now.toISOString()
  const ended = delivery.result === 'sent' ? { sentAt: at, failedAt: null } : { failedAt: at }
  const delayed = { dueAt: addMinutes(now, wait).toISOString(), failedAt: null }
  const change = delivery.result === 'delayed' ? delayed : { ...ended, address: null }
  const keys = mails.map((mail) => mail.key)
  // A backup that was restored meanwhile has other messages here, or none. Another process may have given these up.
  const isSame = and(inArray(key, keys), eq(sendingAt, mails[0].sendingAt ?? ''))
  const set = { ...change, sendingAt: null, failure: delivery.failure?.refused ?? null }
  await transaction((tx) => tx.update(mailQueue).set(set).where(isSame))
}
