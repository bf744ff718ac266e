import { randomUUID } from 'node:crypto'
import { addMilliseconds } from 'date-fns/addMilliseconds'
import { addMinutes } from 'date-fns/addMinutes'
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants'
import { and, asc, eq, gt, isNotNull, isNull, lte, notBetween, or } from 'drizzle-orm'
import { type Level, takeFromEach } from '#db/allowance.ts'
import { recordAct } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import type { Config, Mail } from '#db/config/config.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { administrators } from '#db/tables/access.ts'
import { churches, storedSettings } from '#db/tables/invitation.ts'
import { mailQueue, mailState } from '#db/tables/mail.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import type { Allowance } from '#db/values/allowance.ts'
import { UserError } from '#db/values/errors.ts'
import { testMail } from '#db/values/mail.ts'
import type { QueuedMail } from './queue.ts'
import { hashOfAddress, isStopped, stopPath } from './stops.ts'
import { type Delivery, type Message, sendLetter } from './transport.ts'

/** Longer than one message takes. Another process sends this long after one was killed. */
const LEASE_MS = 2 * millisecondsInMinute
const LONGEST_DELAY_MIN = 15
/** Whoever enters the address of another person can make the site send no more than this to one mailbox. */
const perMailbox: Allowance = { atOnce: 6, everyMs: millisecondsInDay }
/** Anyone can send prayer requests. */
const prayersPerAdministrator: Allowance = { atOnce: 6, everyMs: 10 * millisecondsInMinute }

/**
 * Makes the message from what the database says now.
 * @param linkTo adds the origin to a path of the site.
 * @returns undefined if there is nothing to send any more, e.g. because the RSVP was withdrawn.
 */
export type Compose = (mail: QueuedMail, linkTo: (path: string) => string, now: Date) => Promise<Message | undefined>

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

const { id, dueAt, endsAt, sendingAt, failure } = mailQueue
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
    const mail = await transaction((tx) => claimNext(tx, sender, call()))
    if (mail === undefined) return
    const delivery = await deliver(mail, sender, call()).catch(async (error) => {
      // After a bug, the other messages must not wait for this one.
      await store(mail, { result: 'delayed', failure: new UserError('mail-not-made') }, call().now)
      throw error
    })
    await store(mail, delivery, call().now)
    // It may take none now: the next one is tried the next time.
    if (delivery.result === 'delayed') return
  }
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
 * Gives up messages whose time is over or whose sending was interrupted, puts off those whose mailbox has had enough, and
 * marks the next one: if this process ends before its result is stored, it is unknown whether it was sent. Undefined if
 * none is due, or another process sends.
 */
async function claimNext(tx: Transaction, { holder, origin }: Sender, call: Call): Promise<QueuedMail | undefined> {
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
  for (;;) {
    const [next] = await tx.select().from(mailQueue).where(isDue).orderBy(asc(dueAt), asc(id)).limit(1)
    if (next === undefined) return undefined
    const isThis = eq(id, next.id)
    const empty = await takeFromEach(tx, await levelsOf(tx, next), now)
    if (empty === undefined) {
      const marked = { sendingAt: at, attempts: next.attempts + 1 }
      await tx.update(mailQueue).set(marked).where(isThis)
      return { ...next, ...marked }
    }
    await tx
      .update(mailQueue)
      .set({ dueAt: addMilliseconds(now, empty.wait).toISOString() })
      .where(isThis)
  }
}

/** What the first attempt to send a message is taken from. */
async function levelsOf(tx: Transaction, mail: QueuedMail): Promise<Level[]> {
  const { attempts, kind, administratorId } = mail
  if (attempts > 0) return []
  if (kind === 'prayer') return [{ name: `prayers by mail ${administratorId}`, allowance: prayersPerAdministrator }]
  if (administratorId !== null) return []
  const [rsvp] = await tx
    .select({ email: rsvps.email })
    .from(rsvps)
    .where(eq(rsvps.id, mail.rsvpId ?? 0))
  const to = rsvp?.email ?? mail.address
  return to ? [{ name: `mail ${hashOfAddress(to, await readKeyedHash())}`, allowance: perMailbox }] : []
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
async function deliver(mail: QueuedMail, sender: Sender, call: Call): Promise<Delivery> {
  const { compose, origin = '' } = sender
  const message = await compose(mail, (path) => origin + path, call.now)
  const hash = await readKeyedHash()
  const isPublic = mail.administratorId === null
  if (message === undefined || (isPublic && (await isStopped(message.to, hash)))) return { result: 'dropped' }
  const letter = {
    ...message,
    fromName: await readSenderName(),
    // The same for each attempt, so that a mailbox that gets two shows one.
    id: hash('message', `${mail.key} ${mail.createdAt}`),
    stopUrl: isPublic ? origin + stopPath(message.to, hash) : undefined,
  }
  return sendLetter(letter, sender.mail, sender)
}

async function store(mail: QueuedMail, delivery: Delivery, now: Date): Promise<void> {
  // A server that greylists takes a message after some minutes; after a repair, all goes out soon.
  const wait = Math.min(4 ** (mail.attempts - 1), LONGEST_DELAY_MIN)
  const at = now.toISOString()
  const ended = delivery.result === 'sent' ? { sentAt: at, failedAt: null } : { failedAt: at }
  const delayed = { dueAt: addMinutes(now, wait).toISOString(), failedAt: null }
  const change = delivery.result === 'delayed' ? delayed : { ...ended, address: null }
  // A backup that was restored meanwhile has other messages here, or none. Another process may have given it up.
  const isSame = and(eq(mailQueue.key, mail.key), eq(sendingAt, mail.sendingAt ?? ''))
  const set = { ...change, sendingAt: null, failure: delivery.failure?.refused ?? null }
  await transaction((tx) => tx.update(mailQueue).set(set).where(isSame))
}

/** The church, from which people get their mail; empty until it has a name. */
async function readSenderName(): Promise<string> {
  const [church] = await db.select({ name: churches.name }).from(churches)
  return church?.name ?? ''
}
