import { addMinutes } from 'date-fns/addMinutes'
import { millisecondsInDay } from 'date-fns/constants'
import { eq } from 'drizzle-orm'
import { takeFromEach } from '#db/access/allowance.ts'
import { allowances } from '#db/access/table.ts'
import type { Call } from '#db/operation.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { serviceOn } from '#db/schedule/services.ts'
import type { KeyedHash } from '#db/secret/keyed-hash.ts'
import type { Transaction } from '#db/storage/client.ts'
import { queueMail } from './queue.ts'
import { hashOfAddress } from './stops.ts'

/** Whoever enters the address of another person can make the site send no more than this. */
export const perAddress = { atOnce: 3, everyMs: millisecondsInDay }

type Sent = { id: number; email: string; suspicion: string | null; serviceDate: string }

/**
 * Queues the confirmation of an RSVP that a visitor has just sent, unless its address has had enough of them. Once its
 * service has begun, there is nothing to confirm.
 */
export async function queueConfirmation(
  tx: Transaction,
  { id, email, suspicion, serviceDate }: Sent,
  schedule: Schedule,
  call: Call,
  hash: KeyedHash,
): Promise<void> {
  if (call.sendsMail !== true || suspicion !== null) return
  const name = `confirmation ${hashOfAddress(email, hash)}`
  const [last] = await tx.select().from(allowances).where(eq(allowances.name, name))
  if ((await takeFromEach(tx, [{ name, allowance: perAddress }], call.now)) !== undefined) return
  // One a minute. A clock that was ahead delays nothing.
  const taken = Math.ceil(((last?.fullAt ?? 0) - call.now.getTime()) / perAddress.everyMs)
  const minutes = taken > 0 && taken < perAddress.atOnce ? taken : 0
  const dueAt = addMinutes(call.now, minutes).toISOString()
  const { startsAt } = serviceOn(schedule, serviceDate)
  const mail = { key: `confirmation ${id}`, kind: 'confirmation' as const, rsvpId: id }
  await queueMail(tx, [{ ...mail, language: call.language, dueAt, endsAt: startsAt }], call.now)
}
