import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants'
import { eq } from 'drizzle-orm'
import { takeFromEach } from '#db/access/allowance.ts'
import { allowances } from '#db/access/table.ts'
import type { Call } from '#db/operation.ts'
import type { KeyedHash } from '#db/secret/keyed-hash.ts'
import type { Transaction } from '#db/storage/client.ts'
import { queueMail } from './queue.ts'
import { hashOfAddress } from './stops.ts'

/** Whoever enters the address of another person can make the site send no more than this. */
export const perAddress = { atOnce: 3, everyMs: millisecondsInDay }
/** All that one address may have at once, one a minute. */
const pace = { atOnce: perAddress.atOnce, everyMs: millisecondsInMinute }

type Sent = { id: number; email: string; suspicion: string | null }

/**
 * Queues the confirmation of an RSVP that a visitor has just sent, unless its address has had enough of them.
 * @param startsAt when its service starts: later there is nothing to confirm.
 */
export async function queueConfirmation(
  tx: Transaction,
  { id, email, suspicion }: Sent,
  startsAt: string,
  call: Call,
  hash: KeyedHash,
): Promise<void> {
  if (call.sendsMail !== true || suspicion !== null) return
  const address = hashOfAddress(email, hash)
  const paced = { name: `confirmation pace ${address}`, allowance: pace }
  const [last] = await tx.select().from(allowances).where(eq(allowances.name, paced.name))
  const levels = [{ name: `confirmation ${address}`, allowance: perAddress }, paced]
  if ((await takeFromEach(tx, levels, call.now)) !== undefined) return
  const wait = Math.max((last?.fullAt ?? 0) - call.now.getTime(), 0)
  // A clock that was ahead delays nothing.
  const dueAt = new Date(call.now.getTime() + (wait > pace.atOnce * pace.everyMs ? 0 : wait)).toISOString()
  const mail = { key: `confirmation ${id}`, kind: 'confirmation' as const, rsvpId: id }
  await queueMail(tx, [{ ...mail, language: call.language, dueAt, endsAt: startsAt }], call.now)
}
