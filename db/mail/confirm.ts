import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod/mini'
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
import { isStopped } from './stops.ts'
import { mailQueue } from './table.ts'

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

function confirmationKey(rsvpId: number): string {
  return `confirmation ${rsvpId}`
}
