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
import { UserError } from '#db/values/errors.ts'
import type { Allowance } from '#db/values/limits.ts'
import { testMail } from '#db/values/mail.ts'
import type { QueuedMail } from './queue.ts'
import { hashOfAddress, isStopped, stopPath } from './stops.ts'
import { type Delivery, type Message, sendLetter } from './transport.ts'

/** Longer than one message takes. After a process was killed, another one waits this long before it sends. */
const LEASE_MS = 2 * millisecondsInMinute
const LONGEST_DELAY_MIN = 15
/** Limits what the site sends to a person whose address someone else has entered. */
const perMailbox: Allowance = { atOnce: 6, everyMs: millisecondsInDay }
/** Anyone can send prayer requests, each of which becomes a message. */
const prayersPerAdministrator: Allowance = { atOnce: 6, everyMs: 10 * millisecondsInMinute }

/**
 * Makes a message from the current rows.
 * @param linkTo adds the origin to a path of the site.
 * @returns undefined if there is nothing left to send, e.g. because the RSVP was withdrawn.
 */
export type Compose = (mail: QueuedMail, linkTo: (path: string) => string, now: Date) => Promise<Message | undefined>

export type Sender = {
  /** A random name of this process. */
  holder: string
  mail: Mail
  compose: Compose
  /** Scheme and host of the site; undefined while unknown. */
  origin: string | undefined
  /** Stops after the current message. */
  stopping: AbortSignal
  /** Interrupts the current message. */
  ending: AbortSignal
}

const { id, dueAt, endsAt, sendingAt, failure } = mailQueue
const isOpen = and(isNull(mailQueue.sentAt), isNull(mailQueue.failedAt))

export async function isMailDue(now: Date): Promise<boolean> {
  return (await db.$count(mailQueue, and(isOpen, lte(dueAt, now.toISOString())))) > 0
}

/**
 * Sends the due messages one after the other, outside of transactions, unless another process is sending.
 * @param call makes a call with the current moment.
 * @throws what `compose` throws, after delaying that message.
 */
export async function sendDue(sender: Sender, call: () => Call): Promise<void> {
  while (!sender.stopping.aborted) {
    const mail = await transaction((tx) => claimNext(tx, sender, call()))
    if (mail === undefined) return
    const delivery = await deliver(mail, sender, call()).catch(async (error) => {
      // A bug in one message must not hold up the others.
      await store(mail, { result: 'delayed', failure: new UserError('mail-not-made') }, call().now)
      throw error
    })
    await store(mail, delivery, call().now)
    // The server may take none now.
    if (delivery.result === 'delayed') return
  }
}

/**
 * Sends a message at once, to try the settings: to the calling administrator, or to MAIL_FROM. A command may name any
 * address.
 * @returns the address.
 * @throws UserError 'configuration' if no server is set, 'forbidden' for someone else's address, 'not-sent' with the
 * reason if the server does not take the message.
 */
export async function sendTestMail(
  input: unknown,
  call: Call,
  { mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>,
  write = async (subject: string, text: string) => ({ subject, text: `${text}\n`, html: `<p>${text}</p>` }),
): Promise<{ to: string }> {
  const { to: named } = parseInput(testMail, input)
  if (mail === undefined) throw new UserError('no-mail-server')
  const { administrator, actor } = call
  const isCaller = eq(administrators.id, administrator?.id ?? 0)
  const [caller] = await db.select({ email: administrators.email }).from(administrators).where(isCaller)
  const allowed = caller?.email ?? mail.from
  const to = named ?? allowed
  if (actor !== 'terminal' && to.toLowerCase() !== allowed.toLowerCase()) throw new UserError('test-elsewhere').at('to')
  const fromName = await readSenderName()
  const message = await write('A test of the RSVP site', 'This is a test. The RSVP site can send mail.')
  const [settings] = await db.select({ publicUrl: storedSettings.publicUrl }).from(storedSettings)
  const origin = publicUrl ?? settings?.publicUrl ?? undefined
  const { failure } = await sendLetter({ ...message, to, id: randomUUID(), fromName }, mail, { origin })
  if (failure !== undefined) throw failure
  // The mail server may have used up the deadline of the request.
  await withDeadline(() => recordAct({ action: 'test message sent' }, call))
  return { to }
}

/**
 * Marks the next message as being sent: if this process ends before it stores the result, it is unknown whether the
 * message was sent. Before that, gives up messages that are too late or were interrupted, and delays those whose mailbox
 * has had enough.
 * @returns undefined if no message is due, or another process is sending.
 */
async function claimNext(tx: Transaction, { holder, origin }: Sender, call: Call): Promise<QueuedMail | undefined> {
  const { now } = call
  const at = now.toISOString()
  const isWaiting = and(isOpen, isNull(sendingAt))
  const isDue = and(isWaiting, lte(dueAt, at), gt(endsAt, at))
  const giveUp = (why: 'mail-too-late' | 'mail-unknown') =>
    tx.update(mailQueue).set({ failedAt: at, address: null, failure: new UserError(why).refused })
  await giveUp('mail-too-late').where(and(isWaiting, lte(endsAt, at)))
  if (origin === undefined) {
    const reason = { failure: new UserError('mail-without-address').refused }
    await tx
      .update(mailQueue)
      .set(reason)
      .where(and(isDue, isNull(failure)))
    return undefined
  }
  if (!(await takeLease(tx, holder, now))) return undefined
  // This process has the lease and is sending nothing, so these were interrupted.
  await giveUp('mail-unknown').where(and(isOpen, isNotNull(sendingAt)))
  for (;;) {
    const [next] = await tx.select().from(mailQueue).where(isDue).orderBy(asc(dueAt), asc(id)).limit(1)
    if (next === undefined) return undefined
    const isThis = eq(id, next.id)
    const empty = await takeFromEach(tx, await levelsOf(tx, next), now)
    const marked = { sendingAt: at, attempts: next.attempts + 1 }
    const change = empty ? { dueAt: addMilliseconds(now, empty.wait).toISOString() } : marked
    await tx.update(mailQueue).set(change).where(isThis)
    if (!empty) return { ...next, ...marked }
  }
}

/** The allowances that the first attempt to send a message counts against. */
async function levelsOf(tx: Transaction, mail: QueuedMail): Promise<Level[]> {
  const { attempts, kind, administratorId } = mail
  if (attempts > 0) return []
  if (kind === 'prayer') return [{ name: `prayers by mail ${administratorId}`, allowance: prayersPerAdministrator }]
  if (administratorId !== null) return []
  const isThis = eq(rsvps.id, mail.rsvpId ?? 0)
  const [rsvp] = await tx.select({ email: rsvps.email }).from(rsvps).where(isThis)
  const to = rsvp?.email ?? mail.address
  return to ? [{ name: `mail ${hashOfAddress(to, await readKeyedHash())}`, allowance: perMailbox }] : []
}

/** Takes over a lease that ends later than a new one: a clock that was ahead has written it. */
async function takeLease(tx: Transaction, holder: string, now: Date): Promise<boolean> {
  const { leaseHolder, leaseEndsAt } = mailState
  const end = new Date(now.getTime() + LEASE_MS).toISOString()
  const lease = { leaseHolder: holder, leaseEndsAt: end }
  const isFree = or(isNull(leaseEndsAt), eq(leaseHolder, holder), notBetween(leaseEndsAt, now.toISOString(), end))
  const upsert = { target: mailState.id, set: lease, setWhere: isFree }
  return (await tx.insert(mailState).values(lease).onConflictDoUpdate(upsert).returning()).length > 0
}

async function deliver(mail: QueuedMail, sender: Sender, call: Call): Promise<Delivery> {
  const { compose, origin = '' } = sender
  const message = await compose(mail, (path) => origin + path, call.now)
  const hash = await readKeyedHash()
  const isPublic = mail.administratorId === null
  if (message === undefined || (isPublic && (await isStopped(message.to, hash)))) return { result: 'dropped' }
  const letter = {
    ...message,
    fromName: await readSenderName(),
    // The same for each attempt, so that a mailbox that gets two copies shows one.
    id: hash('message', `${mail.key} ${mail.createdAt}`),
    stopUrl: isPublic ? origin + stopPath(message.to, hash) : undefined,
  }
  return sendLetter(letter, sender.mail, sender)
}

async function store(mail: QueuedMail, delivery: Delivery, now: Date): Promise<void> {
  // After 1, 4, then every 15 minutes: a server that greylists takes a message after a few minutes.
  const wait = Math.min(4 ** (mail.attempts - 1), LONGEST_DELAY_MIN)
  const at = now.toISOString()
  const ended = delivery.result === 'sent' ? { sentAt: at, failedAt: null } : { failedAt: at }
  const delayed = { dueAt: addMinutes(now, wait).toISOString(), failedAt: null }
  const change = delivery.result === 'delayed' ? delayed : { ...ended, address: null }
  // Not by its id, which may be another message's after a restore. Another process may have given it up meanwhile.
  const isSame = and(eq(mailQueue.key, mail.key), eq(sendingAt, mail.sendingAt ?? ''))
  const set = { ...change, sendingAt: null, failure: delivery.failure?.refused ?? null }
  await transaction((tx) => tx.update(mailQueue).set(set).where(isSame))
}

/** The name of the church; empty until it has one. */
async function readSenderName(): Promise<string> {
  const [church] = await db.select({ name: churches.name }).from(churches)
  return church?.name ?? ''
}
