import { forgetOldAttempts } from './access/attempts.ts'
import { deleteOverSessions } from './access/operations.ts'
import type { Call } from './operation.ts'
import { eraseOldDeletions } from './rsvp/deletion.ts'
import { anonymiseOldRsvps } from './rsvp/retention.ts'
import { getSettings } from './settings/operations.ts'

/**
 * Does what is due by the calendar: old deletions are erased, old answers made anonymous, sessions and limits that are over
 * forgotten. In small writes, so that the site goes on; between two of them it can be aborted.
 */
export async function keepHouse(call: Call, signal: AbortSignal): Promise<void> {
  const { retentionDays: days } = await getSettings(undefined, call)
  await untilNoneIsLeft(() => eraseOldDeletions(undefined, call), signal)
  if (days !== null) await untilNoneIsLeft(() => anonymiseOldRsvps({ days }, call), signal)
  if (signal.aborted) return
  await deleteOverSessions(undefined, call)
  await forgetOldAttempts(call.now)
}

async function untilNoneIsLeft(workOnSome: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await workOnSome()) > 0);
}
