import { setTimeout as delay } from 'node:timers/promises'
import { hasRecentBackup, keepPrePurgeCopy, removeOldPrePurgeCopies } from '#db/backup/before-purge.ts'
import { type Doubt, doubtSentence } from '#db/clock/doubt.ts'
import { type ClockCheck, watchClock } from '#db/clock/watch.ts'
import type { Config } from '#db/config/config.ts'
import { isOutage, UserError } from '#db/errors.ts'
import { runMaintenance } from '#db/maintenance/maintenance.ts'
import { errorCodeOf } from '#db/process/error-code.ts'
import { renewEveryPublicName } from '#db/rsvp/public-name/renewal.ts'
import { backUp } from './backups.ts'
import { log, logBug } from './log.ts'
import { siteCall } from './site-call.ts'

/** Between two looks at the clock, … */
const CLOCK_INTERVAL_MS = 60_000
/** … two runs of the maintenance, … */
const MAINTENANCE_INTERVAL_MS = 60 * 60 * 1000
/** … and two reports of a doubtful clock. */
const REPORT_INTERVAL_MS = 24 * 60 * 60 * 1000

/** Runs the maintenance now and every hour. Returns a function that stops it between two writes. */
export function startMaintenance(config: Config): () => Promise<void> {
  const stopping = new AbortController()
  const running = run(config, stopping.signal)
  return async () => {
    stopping.abort()
    await running
  }
}

async function run(config: Config, signal: AbortSignal): Promise<void> {
  const checkClock = watchClock()
  const report = createReporter()
  let doneAt = -MAINTENANCE_INTERVAL_MS
  let renewed = false
  while (!signal.aborted) {
    try {
      // Names shown by an older rule are renewed whatever the clock says.
      if (!renewed) await renewEveryPublicName(siteCall(), signal)
      renewed = true
      const doubt = await checkOnce(checkClock)
      report(doubt)
      if (doubt !== undefined) doneAt = -MAINTENANCE_INTERVAL_MS
      else if (performance.now() - doneAt >= MAINTENANCE_INTERVAL_MS) {
        doneAt = performance.now()
        await runOnce(config, signal)
      }
    } catch (error) {
      // A database that is busy now will not be in an hour.
      if (!isOutage(error)) logBug(error, 'maintenance')
    }
    await delay(CLOCK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

function checkOnce(checkClock: ClockCheck): Promise<Doubt | undefined> {
  return checkClock(siteCall(), performance.now())
}

async function runOnce(config: Config, signal: AbortSignal): Promise<void> {
  const call = siteCall()
  const { anonymized, erased } = await runMaintenance(call, signal, () => saveAll(config, call.now, signal))
  if (anonymized + erased > 0) log.warn({ anonymized, erased }, 'what was due by the calendar was purged')
  await removeOldPrePurgeCopies(config.databaseUrl, call.now)
}

/** Returns whether everything is backed up. If not, nothing is purged, and the next run tries again. */
async function saveAll({ backupFolder, backupsKept, databaseUrl }: Config, now: Date, signal: AbortSignal) {
  if (backupFolder !== undefined) {
    return (await hasRecentBackup(backupFolder, now)) || (await backUp(backupFolder, backupsKept, signal))
  }
  try {
    await keepPrePurgeCopy(databaseUrl, now)
    return true
  } catch (error) {
    const reason = error instanceof UserError ? error.message : errorCodeOf(error)
    log.error({ reason }, 'nothing was purged, because no copy could be kept before')
    return false
  }
}

/** Reports a doubtful clock once, again every day, and when it is trusted again. */
function createReporter() {
  let reported: { kind: Doubt['kind']; at: number } | undefined
  let left: string | undefined
  return (doubt: Doubt | undefined): void => {
    // While it does not move, this site may have written it itself before a restart.
    if (doubt?.kind === 'other') left ??= doubt.clock
    else left = undefined
    if (doubt !== undefined && doubt.clock === left) return
    if (doubt === undefined) {
      if (reported !== undefined) log.warn('the clock is trusted again')
      reported = undefined
    } else if (reported?.kind !== doubt.kind || performance.now() - reported.at >= REPORT_INTERVAL_MS) {
      reported = { kind: doubt.kind, at: performance.now() }
      log.error({ reason: doubtSentence(doubt) }, 'the clock is doubtful')
    }
  }
}
