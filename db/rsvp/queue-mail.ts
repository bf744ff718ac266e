import { addMinutes } from 'date-fns/addMinutes'
import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Call, parseInput } from '#db/call.ts'
import { type KeyedHash, readKeyedHash } from '#db/keyed-hash.ts'
import { type NewMail, queueMail } from '#db/mail/queue.ts'
import { isStopped } from '#db/mail/stops.ts'
import { readSchedule } from '#db/schedule.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, isPresent } from '#db/tables/access.ts'
import { mailQueue, mailState } from '#db/tables/mail.ts'
import { familyMembers, rsvps } from '#db/tables/rsvp.ts'
import { addDays } from '#db/values/dates.ts'
import type { MailChoice, PromisedMail } from '#db/values/mail.ts'
import { isAtLeast } from '#db/values/roles.ts'
import type { Schedule } from '#db/values/schedule.ts'
import { currentService, serviceOn } from '#db/values/services.ts'
import { dayIn, momentOf } from '#db/values/time-zone.ts'
import { listSuperseded } from './duplicates.ts'
import { isLive } from './read.ts'

/** In the time zone of the schedule: reminders and sheets on the day before the service, digests every day. */
const REMINDER_TIME = '10:00'
const SHEET_TIME = '17:00'
export const DIGEST_TIME = '18:00'

const promisedFor = z.object({ rsvpId: z.int() })

type Sent = { id: number; email: string; suspicion: string | null; serviceDate: string }

/** Queues the confirmation of an RSVP that a visitor has just sent, unless its service will have begun. */
export async function queueConfirmation(
  tx: Transaction,
  { id, email, suspicion, serviceDate }: Sent,
  schedule: Schedule,
  { sendsMail, language, now }: Call,
  hash: KeyedHash,
): Promise<void> {
  if (sendsMail !== true || suspicion !== null) return
  const { startsAt: endsAt } = serviceOn(schedule, serviceDate)
  if (endsAt <= now.toISOString() || (await isStopped(email, hash))) return
  const dueAt = now.toISOString()
  await queueMail(tx, [{ key: confirmationKey(id), kind: 'confirmation', rsvpId: id, language, dueAt, endsAt }], now)
}

/** What the sender of an RSVP may be promised to get by mail. */
export async function listPromised(input: unknown, { sendsMail, now }: Call): Promise<PromisedMail[]> {
  const { rsvpId } = parseInput(promisedFor, input)
  if (sendsMail !== true) return []
  const isSent = and(eq(mailQueue.key, confirmationKey(rsvpId)), isNull(mailQueue.failedAt))
  const [[rsvp], confirmed] = await Promise.all([
    db.select().from(rsvps).where(eq(rsvps.id, rsvpId)),
    db.$count(mailQueue, isSent),
  ])
  if (rsvp === undefined || (await isStopped(rsvp.email, await readKeyedHash()))) return []
  const { remind, attending, suspicion, serviceDate, standingId } = rsvp
  const { timeZone } = await readSchedule()
  const isAhead = momentOf(timeZone, addDays(serviceDate, -1), REMINDER_TIME) > now
  const isReminded = remind && attending && suspicion === null && (isAhead || standingId !== null)
  return [...(confirmed > 0 ? ['confirmation' as const] : []), ...(isReminded ? ['reminder' as const] : [])]
}

function confirmationKey(rsvpId: number): string {
  return `confirmation ${rsvpId}`
}

type Times = Pick<NewMail, 'dueAt' | 'endsAt'>

/** The administrators who have chosen to get something by mail, and may see it. A digest says who cannot come. */
export async function listRecipients(choice: MailChoice) {
  const people = await db.select().from(administrators).where(isPresent)
  return people.filter(({ mail, role, prayers }) => {
    const maySee = { sheet: true, digest: isAtLeast('clerk', role), prayers: prayers !== 'none' }
    return mail.includes(choice) && maySee[choice]
  })
}

/**
 * Queues what is due by date: reminders, sheets and digests.
 * Only reads unless something is due. What was missed is not made up for after its time: a service that has begun, a
 * digest a day later, and what was due before a backup was restored, because it may have been sent then.
 */
export async function queueScheduledMail({ now, sendsMail }: Call): Promise<void> {
  if (sendsMail !== true || (await listDue(now)).length === 0) return
  await transaction(async (tx) => queueMail(tx, await listDue(now), now))
}

async function listDue(now: Date): Promise<NewMail[]> {
  const schedule = await readSchedule()
  const { date, startsAt } = currentService(schedule, now)
  const [state] = await db.select({ restoredAt: mailState.restoredAt }).from(mailState)
  const isDue = ({ dueAt, endsAt }: Times) =>
    dueAt <= now.toISOString() && now.toISOString() < endsAt && dueAt >= (state?.restoredAt ?? '')
  const at = (day: string, time: string) => momentOf(schedule.timeZone, day, time).toISOString()
  // Until the next one is due: the site may be down in the evening.
  const today = dayIn(schedule.timeZone, now)
  const digestDay = at(today, DIGEST_TIME) <= now.toISOString() ? today : addDays(today, -1)
  const reminder = { dueAt: at(addDays(date, -1), REMINDER_TIME), endsAt: startsAt }
  const sheet = { dueAt: at(addDays(date, -1), SHEET_TIME), endsAt: startsAt }
  const digest = { dueAt: at(digestDay, DIGEST_TIME), endsAt: at(addDays(digestDay, 1), DIGEST_TIME) }
  const due = [
    ...(isDue(reminder) ? await listToRemind(date, reminder) : []),
    ...(isDue(sheet) ? await listFor('sheet', date, sheet) : []),
    ...(isDue(digest) ? await listFor('digest', digestDay, digest) : []),
  ]
  const keys = due.map(({ key }) => key)
  const known = await db.select({ key: mailQueue.key }).from(mailQueue).where(inArray(mailQueue.key, keys))
  return due.filter(({ key }) => known.every((other) => other.key !== key))
}

async function listFor(kind: 'sheet' | 'digest', day: string, times: Times): Promise<NewMail[]> {
  return (await listRecipients(kind)).map(({ id }) => ({
    ...times,
    kind,
    key: `${kind} ${day} ${id}`,
    administratorId: id,
  }))
}

/** The reminders of a service. Who has sent or changed an RSVP after the reminder was due needs none. */
async function listToRemind(date: string, times: Times): Promise<NewMail[]> {
  const { id, email, language, createdAt, changedAt, linkHash } = rsvps
  const isReminded = and(eq(rsvps.serviceDate, date), isLive, rsvps.remind, rsvps.attending, isNull(rsvps.suspicion))
  const wanted = await db
    .select({ id, language, createdAt, changedAt, linkHash })
    .from(rsvps)
    .where(and(isReminded, ne(email, '')))
  return wanted.flatMap(({ id: rsvpId, ...rsvp }) => {
    // Those written from a standing RSVP may only just be, because the site was down.
    const lastChangeAt = rsvp.changedAt ?? (rsvp.linkHash === null ? '' : rsvp.createdAt)
    if (lastChangeAt >= times.dueAt) return []
    const mail = { ...times, kind: 'reminder' as const, key: `reminder ${rsvpId} ${date}`, rsvpId }
    return [{ ...mail, language: rsvp.language }]
  })
}

/** How long a mistaken change can be undone before anyone gets a mail about it. */
const GRACE_MIN = 5

const { kind, key, rsvpId, sentAt, failedAt, sendingAt, failure } = mailQueue
const isWaiting = and(isNull(sentAt), isNull(failedAt), isNull(sendingAt))
/** The key of such a message names its kind, the day of the service, and the RSVP. */
const isAbout = (date: string) => and(inArray(kind, ['skipped', 'held']), sql`${key} GLOB ${`* ${date} *`}`)

/**
 * Queues messages that services are skipped, or held after all, to those who said that they come, unless their last message
 * said the same. Messages about the opposite that are not sent yet are removed.
 * @returns how many RSVPs the messages are about.
 */
export async function queueServiceChanges(
  tx: Transaction,
  dates: string[],
  to: 'skipped' | 'held',
  call: Call,
): Promise<number> {
  const [schedule, hash] = [await readSchedule(), await readKeyedHash()]
  const mails: NewMail[] = []
  for (const date of dates) {
    await tx.delete(mailQueue).where(and(isAbout(date), isWaiting))
    const { endsAt } = serviceOn(schedule, date)
    if (call.sendsMail !== true || endsAt <= call.now.toISOString()) continue
    const mayBeSent = or(isNull(failedAt), sql`${failure} ->> 'refusal' = 'mail-unknown'`)
    const queued = await tx
      .select({ kind, rsvpId })
      .from(mailQueue)
      .where(and(isAbout(date), mayBeSent))
      .orderBy(asc(mailQueue.id))
    const last = new Map(queued.map((mail) => [mail.rsvpId, mail.kind]))
    const dueAt = addMinutes(call.now, GRACE_MIN).toISOString()
    for (const { id, email, language } of await listComing(date))
      if ((last.get(id) ?? 'held') !== to && !(await isStopped(email, hash))) {
        const mail = { kind: to, key: `${to} ${date} ${id} ${call.now.getTime()}`, rsvpId: id }
        mails.push({ ...mail, language, dueAt, endsAt })
      }
  }
  await queueMail(tx, mails, call.now)
  return mails.length
}

/** The RSVPs whose senders get a mail that a service is skipped, unless it has failed so far. */
export async function listNotified(date: string): Promise<number[]> {
  const isOnItsWay = and(isAbout(date), eq(kind, 'skipped'), isNull(failedAt), isNull(failure))
  const mails = await db.select({ id: rsvpId }).from(mailQueue).where(isOnItsWay)
  return mails.flatMap(({ id }) => id ?? [])
}

/** The RSVPs that count, have an address, and by which someone comes. */
async function listComing(date: string) {
  const { id, email, language, attending, serviceDate, suspicion } = rsvps
  const bringing = db.select({ id: familyMembers.rsvpId }).from(familyMembers).where(eq(familyMembers.attending, true))
  const isTheirs = and(isLive, eq(serviceDate, date), ne(email, ''), isNull(suspicion))
  const coming = await db
    .select({ id, email, language })
    .from(rsvps)
    .where(and(isTheirs, or(attending, inArray(id, bringing))))
    .orderBy(asc(id))
  const superseded = new Set(await listSuperseded(date))
  return coming.filter((rsvp) => !superseded.has(rsvp.id))
}
