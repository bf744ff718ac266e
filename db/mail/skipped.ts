import { addMinutes } from 'date-fns/addMinutes'
import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { listSuperseded } from '#db/rsvp/duplicates.ts'
import { isLive } from '#db/rsvp/search.ts'
import { familyMembers, rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { type NewMail, queueMail } from './queue.ts'
import { isStopped } from './stops.ts'
import { mailQueue } from './table.ts'

/** So long a slip can be taken back without anyone hearing of it. */
const GRACE_MIN = 5

const { kind, key, rsvpId, sentAt, failedAt, sendingAt, failure } = mailQueue
const isWaiting = and(isNull(sentAt), isNull(failedAt), isNull(sendingAt))
/** Its kind, the day of the service, and its RSVP. */
const isAbout = (date: string) => and(inArray(kind, ['skipped', 'held']), sql`${key} GLOB ${`* ${date} *`}`)

/**
 * Queues messages to those who have said that they come to services which are skipped now, or held after all, and were not
 * told that last. What was not sent yet is taken back. Returns how many RSVPs they are about.
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
    const isTold = or(isNull(failedAt), sql`${failure} ->> 'refusal' = 'mail-unknown'`)
    const told = await tx
      .select({ kind, rsvpId })
      .from(mailQueue)
      .where(and(isAbout(date), isTold))
      .orderBy(asc(mailQueue.id))
    const last = new Map(told.map((mail) => [mail.rsvpId, mail.kind]))
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

/** The RSVPs whose senders are told by mail that a service is skipped, as far as nothing is in its way. */
export async function listTold(date: string): Promise<number[]> {
  const isTold = and(isAbout(date), eq(kind, 'skipped'), isNull(failedAt), isNull(failure))
  const told = await db.select({ id: rsvpId }).from(mailQueue).where(isTold)
  return told.flatMap(({ id }) => id ?? [])
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
