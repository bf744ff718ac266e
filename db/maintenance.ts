import { forgetOldAttempts } from './access/limits/attempts.ts'
import { deleteOverSessions } from './access/operations.ts'
import { readMark } from './clock/mark.ts'
import { findDoubt } from './clock/operations.ts'
import type { Call } from './operation.ts'
import { eraseOldDeletions } from './rsvp/retention/deletion.ts'
import { getDue } from './rsvp/retention/due.ts'
import { correctFutureMoments } from './rsvp/retention/future-moments.ts'
import { anonymiseOldRsvps } from './rsvp/retention/retention.ts'
import { getSettings } from './settings/operations.ts'

/** How many responses were purged. */
export type Purged = { anonymized: number; erased: number }

/**
 * Does what is due by the calendar: old deletions are erased, old answers made anonymous, sessions and limits that are
 * over forgotten; nothing while the clock is doubtful. In small writes, so that the site goes on; between two of them it can be
 * aborted.
 * @param saveAll saves everything before any of it goes for good; answers whether that was possible.
 */
export async function keepHouse(call: Call, signal: AbortSignal, saveAll: () => Promise<boolean>): Promise<Purged> {
  const purged = { anonymized: 0, erased: 0 }
  if (signal.aborted || (await findDoubt(undefined, call)) !== undefined) return purged
  await correctFutureMoments(undefined, call)
  const { erase, anonymize } = await getDue(undefined, call)
  if (erase.now + (anonymize?.now ?? 0) > 0 && (await saveAll())) Object.assign(purged, await purge(call, signal))
  if (signal.aborted) return purged
  await deleteOverSessions(undefined, call)
  await forgetOldAttempts(call.now)
  return purged
}

/** What somebody has confirmed with the count before his eyes goes as a whole, the rest in thirds. */
async function purge(call: Call, signal: AbortSignal): Promise<Purged> {
  const { retentionDays: days } = await getSettings(undefined, call)
  const { eraseConfirmedAt, anonymizeConfirmedAt } = await readMark()
  const erasing = [...confirmedBound(eraseConfirmedAt, call.now), { bound: 'third' }]
  const anonymizing = [...confirmedBound(anonymizeConfirmedAt, call.now), { bound: 'third' }].map((bound) => ({
    ...bound,
    days,
  }))
  let [erased, anonymized] = [0, 0]
  for (const bound of erasing) erased += await untilNoneIsLeft(() => eraseOldDeletions(bound, call), signal)
  if (days === null) return { erased, anonymized }
  for (const bound of anonymizing) anonymized += await untilNoneIsLeft(() => anonymiseOldRsvps(bound, call), signal)
  return { erased, anonymized }
}

/** A confirmation that lies ahead was given under a clock that was ahead: by it everything would be due. */
function confirmedBound(at: string | null, now: Date) {
  const dueAt = at === null ? undefined : new Date(at)
  return dueAt === undefined || dueAt > now ? [] : [{ bound: 'all', dueAt }]
}

async function untilNoneIsLeft(workOnSome: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let [all, some] = [0, 1]
  while (!signal.aborted && some > 0) {
    some = await workOnSome()
    all += some
  }
  return all
}
