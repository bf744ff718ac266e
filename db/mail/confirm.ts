import { addMinutes } from 'date-fns/addMinutes'
import { millisecondsInDay } from 'date-fns/constants'
import { and, eq, isNull, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Level, takeFromEach } from '#db/access/allowance.ts'
import { allowances } from '#db/access/table.ts'
import { type Call, operation } from '#db/operation.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { type KeyedHash, readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { addDays } from '#db/values/dates.ts'
import { daysBefore, momentOf } from '#db/values/time-zone.ts'
import { type NewMail, queueMail } from './queue.ts'
import { type PromisedMail, REMINDER_TIME } from './schema.ts'
import { hashOfAddress, isStopped } from './stops.ts'
import { mailQueue } from './table.ts'

/**
 * Whoever enters the address of another person can make the site send no more than this to one mailbox, whatever it is
 * about. Confirmations leave half of it to what is more urgent.
 */
const perMailbox = { atOnce: 6, everyMs: millisecondsInDay }
const CONFIRMED_AT_ONCE = 3

/** How long a message waits that could not go at once. */
const LATER_DAYS = 3

const promisedFor = z.object({ rsvpId: z.int() })

type Sent = { id: number; email: string; suspicion: string | null; serviceDate: string }

export function levelOfMailbox(address: string, hash: KeyedHash): Level {
  return { name: `mail ${hashOfAddress(address, hash)}`, allowance: perMailbox }
}

/**
 * Queues the confirmation of an RSVP that a visitor has just sent; for a mailbox that has had enough of them, one message
 * later that names all. Once its service has begun, there is nothing to confirm.
 */
export async function queueConfirmation(
  tx: Transaction,
  { id, email, suspicion, serviceDate }: Sent,
  schedule: Schedule,
  call: Call,
  hash: KeyedHash,
): Promise<void> {
  const { startsAt } = serviceOn(schedule, serviceDate)
  const isOver = startsAt <= call.now.toISOString()
  if (call.sendsMail !== true || suspicion !== null || isOver || (await isStopped(email, hash))) return
  const level = levelOfMailbox(email, hash)
  const [last] = await tx.select().from(allowances).where(eq(allowances.name, level.name))
  const filling = (last?.fullAt ?? 0) - call.now.getTime()
  const taken = Math.ceil(filling / perMailbox.everyMs)
  // A clock that was ahead delays nothing.
  const before = taken > 0 && taken <= perMailbox.atOnce ? taken : 0
  if (before >= CONFIRMED_AT_ONCE) {
    const wait = filling - (CONFIRMED_AT_ONCE - 1) * perMailbox.everyMs
    return queueLinksLater(tx, { address: email, language: call.language }, wait, call.now, hash)
  }
  await takeFromEach(tx, [level], call.now)
  // One a minute.
  const dueAt = addMinutes(call.now, before).toISOString()
  const mail = { key: confirmationKey(id), kind: 'confirmation' as const, rsvpId: id }
  await queueMail(tx, [{ ...mail, language: call.language, dueAt, endsAt: startsAt }], call.now)
}

/** What the sender of an RSVP may be promised to get by mail. */
export const listPromised = operation(promisedFor, async ({ rsvpId }, { sendsMail, now }): Promise<PromisedMail[]> => {
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
})

/** Queues one message with what all addresses of a mailbox have said, unless one waits already. */
export async function queueLinksLater(
  tx: Transaction,
  to: Pick<NewMail, 'address' | 'language'>,
  wait: number,
  now: Date,
  hash: KeyedHash,
): Promise<void> {
  const name = `${LATER}${hashOfAddress(to.address ?? '', hash)} `
  const { key, sentAt, failedAt, sendingAt } = mailQueue
  const waits = and(sql`${key} GLOB ${`${name}*`}`, isNull(sentAt), isNull(failedAt), isNull(sendingAt))
  if ((await tx.$count(mailQueue, waits)) > 0) return
  const due = new Date(now.getTime() + wait)
  const times = { dueAt: due.toISOString(), endsAt: daysBefore(due, -LATER_DAYS) }
  await queueMail(tx, [{ key: name + times.dueAt, kind: 'link', ...to, ...times }], now)
}

const LATER = 'link later '

/** Whether a message is about all addresses of a mailbox. */
export function isAboutMailbox({ key }: Pick<NewMail, 'key'>): boolean {
  return key.startsWith(LATER)
}

function confirmationKey(rsvpId: number): string {
  return `confirmation ${rsvpId}`
}
