import { forgetOldAttempts } from '#db/access/attempts.ts'
import { deleteOverSessions } from '#db/access/operations.ts'
import { readMark } from '#db/clock/mark.ts'
import { findDoubt } from '#db/clock/operations.ts'
import type { Call } from '#db/operation.ts'
import { eraseOldDeletions } from '#db/rsvp/retention/deletion.ts'
import { getDue } from '#db/rsvp/retention/due.ts'
import { correctFutureMoments } from '#db/rsvp/retention/future-moments.ts'
import { anonymizeOldRsvps } from '#db/rsvp/retention/retention.ts'
import { stampServiceDates } from '#db/rsvp/service-date/stamp.ts'
import { getSettings } from '#db/settings/operations.ts'

/** How many responses were purged. */
type Purged = { anonymized: number; erased: number }

/**
 * Runs what is due by date: erases old deletions, anonymizes old RSVPs, removes expired sessions and limits; and stamps
 * RSVPs that have no service date. Nothing while the clock is doubtful. It writes in small batches, so that the site stays
 * responsive, and can be aborted between them.
 * @param backUp saves everything before a purge, and returns whether that succeeded.
 */
export async function runMaintenance(call: Call, signal: AbortSignal, backUp: () => Promise<boolean>): Promise<Purged> {
  const purged = { anonymized: 0, erased: 0 }
  if (signal.aborted || (await findDoubt(call)) !== undefined) return purged
  await correctFutureMoments(call)
  // A command that changed the schedule may have been interrupted, or an older site may write into the same database.
  await stampServiceDates()
  const { erase, anonymize } = await getDue(call)
  if (erase.now + (anonymize?.now ?? 0) > 0 && (await backUp())) Object.assign(purged, await purge(call, signal))
  if (signal.aborted) return purged
  await deleteOverSessions(call)
  await forgetOldAttempts(call.now)
  return purged
}

/** Purges everything that an administrator confirmed with its count shown, and a third of the rest. */
async function purge(call: Call, signal: AbortSignal): Promise<Purged> {
  const { retentionDays: days } = await getSettings(call)
  const { eraseConfirmedAt, anonymizeConfirmedAt } = await readMark()
  const erasing = [...confirmedBound(eraseConfirmedAt, call.now), { bound: 'third' }]
  const anonymizing = [...confirmedBound(anonymizeConfirmedAt, call.now), { bound: 'third' }].map((bound) => ({
    ...bound,
    days,
  }))
  let [erased, anonymized] = [0, 0]
  for (const bound of erasing) erased += await repeatUntilNone(() => eraseOldDeletions(bound, call), signal)
  if (days === null) return { erased, anonymized }
  for (const bound of anonymizing) anonymized += await repeatUntilNone(() => anonymizeOldRsvps(bound, call), signal)
  return { erased, anonymized }
}

/** Ignores a confirmation from the future: it was given while the clock was ahead, and would make everything due. */
function confirmedBound(at: string | null, now: Date) {
  const dueAt = at === null ? undefined : new Date(at)
  return dueAt === undefined || dueAt > now ? [] : [{ bound: 'all', dueAt }]
}

async function repeatUntilNone(purgeSome: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let [total, some] = [0, 1]
  while (!signal.aborted && some > 0) {
    some = await purgeSome()
    total += some
  }
  return total
}
