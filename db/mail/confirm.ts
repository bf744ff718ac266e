import { millisecondsInDay } from 'date-fns/constants'
import { and, eq, isNull, lte } from 'drizzle-orm'
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
import { momentOf } from '#db/values/time-zone.ts'
import { queueMail } from './queue.ts'
import { type PromisedMail, REMINDER_TIME } from './schema.ts'
import { hashOfAddress, isStopped } from './stops.ts'
import { mailQueue } from './table.ts'

/** Whoever enters the address of another person can make the site send no more than this to one mailbox. */
const perMailbox = { atOnce: 6, everyMs: millisecondsInDay }
/** Confirmations leave these to what is more urgent. */
const NOT_FOR_CONFIRMATIONS = 3

const promisedFor = z.object({ rsvpId: z.int() })

type Sent = { id: number; email: string; suspicion: string | null; serviceDate: string }

export function levelOfMailbox(address: string, hash: KeyedHash): Level {
  return { name: `mail ${hashOfAddress(address, hash)}`, allowance: perMailbox }
}

/**
 * When a message to a mailbox may go: now, which is counted, or once there are more left than `leaves`. All that waits for
 * that is one message.
 */
export async function takeFromMailbox(
  tx: Transaction,
  address: string,
  hash: KeyedHash,
  now: Date,
  leaves = 0,
): Promise<string> {
  const level = levelOfMailbox(address, hash)
  const { atOnce, everyMs } = perMailbox
  const [stored] = await tx.select().from(allowances).where(eq(allowances.name, level.name))
  const taken = Math.max((stored?.fullAt ?? 0) - now.getTime(), 0)
  const wait = taken - (atOnce - leaves - 1) * everyMs
  // A clock that was ahead delays nothing.
  if (wait > 0 && taken <= atOnce * everyMs) return new Date(now.getTime() + wait).toISOString()
  await takeFromEach(tx, [level], now)
  return now.toISOString()
}

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
  const isOver = endsAt <= now.toISOString()
  if (isOver || (await isStopped(email, hash))) return
  const dueAt = await takeFromMailbox(tx, email, hash, now, NOT_FOR_CONFIRMATIONS)
  const mail = { key: confirmationKey(id), kind: 'confirmation' as const, rsvpId: id, language, dueAt, endsAt }
  if (dueAt < endsAt) await queueMail(tx, [mail], now)
}

/** What the sender of an RSVP may be promised to get by mail. */
export const listPromised = operation(promisedFor, async ({ rsvpId }, { sendsMail, now }): Promise<PromisedMail[]> => {
  if (sendsMail !== true) return []
  const { key, dueAt, failedAt } = mailQueue
  const isSent = and(eq(key, confirmationKey(rsvpId)), isNull(failedAt), lte(dueAt, now.toISOString()))
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

function confirmationKey(rsvpId: number): string {
  return `confirmation ${rsvpId}`
}
