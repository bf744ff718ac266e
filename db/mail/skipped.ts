import { addMinutes } from 'date-fns/addMinutes'
import { and, asc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { listSuperseded } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import { isLive, oneOf } from '#db/rsvp/search.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { skippedDates } from '#db/schedule/table.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, type Transaction } from '#db/storage/client.ts'

import { type QueuedMail, queueMail } from './queue.ts'
import { hashesOfAddress } from './stops.ts'
import { mailQueue, mailStops } from './table.ts'
import { UNKNOWN } from './transport.ts'

/** So long a slip can be taken back without anyone hearing of it. */
const GRACE_MIN = 5

type Kind = 'skipped' | 'held'

const { kind, key, rsvpId, sentAt, failedAt, sendingAt, failure } = mailQueue
const isWaiting = and(isNull(sentAt), isNull(failedAt), isNull(sendingAt))
/** Its kind, the day of the service, and its RSVP. */
const isAbout = (date: string) => and(inArray(kind, ['skipped', 'held']), sql`${key} GLOB ${`* ${date} *`}`)

/**
 * Queues messages to those who have said that they come to services which are skipped now, or held after all. What was not
 * sent yet is taken back, and only who was told the one is told the other.
 */
export async function queueServiceChanges(tx: Transaction, dates: string[], to: Kind, call: Call): Promise<void> {
  const schedule = await readSchedule()
  for (const date of dates) {
    await tx.delete(mailQueue).where(and(isAbout(date), ne(kind, to), isWaiting))
    const { endsAt } = serviceOn(schedule, date)
    if (call.sendsMail !== true || endsAt <= call.now.toISOString()) continue
    const isTold = or(isNotNull(sentAt), isNotNull(sendingAt), eq(failure, UNKNOWN))
    const told = await tx
      .select({ kind, rsvpId })
      .from(mailQueue)
      .where(and(isAbout(date), isTold))
      .orderBy(asc(mailQueue.id))
    const last = new Map(told.map((mail) => [mail.rsvpId, mail.kind]))
    const coming = await listComing(date)
    const ids = coming.filter((id) => (to === 'skipped' ? last.get(id) !== to : last.get(id) === 'skipped'))
    const { id, language } = rsvps
    const times = { dueAt: addMinutes(call.now, GRACE_MIN).toISOString(), endsAt }
    const mails = (await tx.select({ rsvpId: id, language }).from(rsvps).where(oneOf(ids))).map((rsvp) => {
      return { kind: to, key: `${to} ${date} ${rsvp.rsvpId} ${call.now.getTime()}`, ...rsvp, ...times }
    })
    for (let done = 0; done < mails.length; done += 500) await queueMail(tx, mails.slice(done, done + 500), call.now)
  }
}

/** The day and the reason of a skipped service, or the day of one that is held after all; undefined if neither is true now. */
export async function findServiceChange(mail: QueuedMail) {
  const date = mail.key.split(' ')[1] ?? ''
  const [skipped] = await db.select().from(skippedDates).where(eq(skippedDates.date, date))
  return (skipped !== undefined) === (mail.kind === 'skipped') ? { date, reason: skipped?.reason ?? null } : undefined
}

/** The RSVPs whose senders are told by mail that a service is skipped: those are left out that have stopped it. */
export async function listTold(date: string, call: Call): Promise<number[]> {
  // Without a mail server, what waits is not sent.
  const isTold = call.sendsMail === true ? isNull(failedAt) : isNotNull(sentAt)
  const told = await db
    .select({ id: rsvps.id, email: rsvps.email })
    .from(mailQueue)
    .innerJoin(rsvps, eq(rsvps.id, rsvpId))
    .where(and(isAbout(date), eq(kind, 'skipped'), isTold))
  if (told.length === 0) return []
  const hash = await readKeyedHash()
  const stops = new Set((await db.select().from(mailStops)).map(({ addressHash }) => addressHash))
  return told.filter(({ email }) => !hashesOfAddress(email, hash).some((each) => stops.has(each))).map(({ id }) => id)
}

/** The RSVPs that count, have an address, and by which someone comes. */
async function listComing(date: string): Promise<number[]> {
  const isTheirs = and(isLive, eq(rsvps.serviceDate, date), ne(rsvps.email, ''), isNull(rsvps.suspicion))
  const [sent, superseded] = await Promise.all([readStored(isTheirs), listSuperseded(date)])
  const coming = sent.filter((rsvp) => rsvp.attending || rsvp.familyMembers.some(({ attending }) => attending))
  return coming.map(({ id }) => id).filter((id) => !superseded.includes(id))
}
