import { forgetOldChallenges } from '#db/access/credential.ts'
import { deleteOverSessions } from '#db/access/sessions.ts'
import { forgetFullAllowances } from '#db/allowance.ts'
import type { Call } from '#db/call.ts'
import { forgetOldMail } from '#db/mail/queue.ts'
import { getSettings, storePurge } from '#db/settings.ts'
import { transaction } from '#db/storage/client.ts'
import { forgetOldLinks } from './private-links.ts'
import { anonymizeOldRsvps, countDue, eraseOldDeletions, eraseOldPrayers, findPurgeDoubt } from './purge.ts'
import { endQuietStandings, forgetEndedStandings } from './standing.ts'

/** How many responses were purged, or why nothing was. */
type Maintained = { anonymized: number; erased: number; doubt: string | undefined }

/**
 * Runs what is due by date: erases old deletions, anonymizes old RSVPs, removes expired sessions, limits and messages.
 * While the clock may be wrong, it removes only what protects the sign-in. Writes in small batches, so that the site stays
 * responsive, and can be aborted between them.
 * @param makeCall makes the call of each step: what is stored while others run, e.g. the challenge of a passkey, would seem
 * to be from a clock that is ahead.
 * @param backUp saves everything before a purge, and returns whether that succeeded.
 */
export async function runMaintenance(
  makeCall: () => Call,
  signal: AbortSignal,
  backUp: () => Promise<boolean>,
): Promise<Maintained> {
  const done: Maintained = { anonymized: 0, erased: 0, doubt: undefined }
  if (signal.aborted) return done
  const call = makeCall()
  await deleteOverSessions(makeCall())
  await forgetFullAllowances(makeCall().now)
  await forgetOldChallenges(makeCall())
  done.doubt = await findPurgeDoubt(call)
  if (done.doubt !== undefined) return done
  await transaction((tx) => storePurge(tx, call.now))
  if ((await countDue(call)) > 0 && (await backUp())) {
    const { retentionDays: days } = await getSettings()
    done.erased = await repeatUntilNone(() => eraseOldDeletions(call), signal)
    if (days !== null) done.anonymized = await repeatUntilNone(() => anonymizeOldRsvps({ days }, call), signal)
  }
  if (signal.aborted) return done
  await repeatUntilNone(() => endQuietStandings(makeCall()), signal)
  await forgetEndedStandings(makeCall())
  await eraseOldPrayers(makeCall())
  await forgetOldMail(makeCall())
  await forgetOldLinks(makeCall())
  return done
}

async function repeatUntilNone(purgeBatch: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let [total, purged] = [0, 1]
  while (!signal.aborted && purged > 0) {
    purged = await purgeBatch()
    total += purged
  }
  return total
}
