import type { Call } from '#db/operation.ts'
import type { Transaction } from '#db/storage/client.ts'
import { queueMail } from './queue.ts'

type Sent = { id: number; email: string; serviceDate: string; suspicion: string | null }

/** Queues the confirmation of an RSVP that a visitor has just sent. `startsAt` is that of its service. */
export async function queueConfirmation(tx: Transaction, sent: Sent, startsAt: string, call: Call): Promise<void> {
  if (call.sendsMail !== true || sent.suspicion !== null) return
  const dueAt = call.now.toISOString()
  const mail = { key: `confirmation ${sent.id}`, kind: 'confirmation' as const, rsvpId: sent.id }
  await queueMail(tx, [{ ...mail, language: call.language, dueAt, endsAt: startsAt }], call.now)
}
