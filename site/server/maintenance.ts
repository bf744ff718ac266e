import { setTimeout as delay } from 'node:timers/promises'
import { hasRecentBackup, keepPrePurgeCopy, removeOldPrePurgeCopies } from '#db/backup/safeguards.ts'
import { type Doubt, doubtSentence } from '#db/clock/clock.ts'
import type { Config } from '#db/config/config.ts'
import { isOutage, UserError } from '#db/errors.ts'
import { runMaintenance } from '#db/maintenance/maintenance.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { renewEveryPublicName } from '#db/rsvp/names.ts'
import { backUp } from './backups.ts'
import { log, logBug } from './log.ts'
import { siteCall } from './site-call.ts'

const MAINTENANCE_INTERVAL_MS = 60 * 60 * 1000
/** While the clock is doubtful, or the database could not be used. */
const RETRY_INTERVAL_MS = 60_000
/** How often a doubtful clock is reported. */
const REPORT_INTERVAL_MS = 24 * 60 * 60 * 1000

/** Runs the maintenance now and every hour, until it is stopped between two writes. */
export async function keepMaintained(config: Config, signal: AbortSignal): Promise<void> {
  const report = createReporter()
  let renewed = false
  while (!signal.aborted) {
    let doubt: Doubt | undefined
    let failed = false
    try {
      // Names shown by an older rule are renewed whatever the clock says.
      if (!renewed) await renewEveryPublicName(signal)
      renewed = true
      doubt = await runOnce(config, signal)
      report(doubt)
    } catch (error) {
      failed = true
      if (!isOutage(error)) logBug(error, 'maintenance')
    }
    const pause = failed || doubt !== undefined ? RETRY_INTERVAL_MS : MAINTENANCE_INTERVAL_MS
    await delay(pause, undefined, { signal, ref: false }).catch(() => {})
  }
}

async function runOnce(config: Config, signal: AbortSignal): Promise<Doubt | undefined> {
  const call = siteCall()
  const { anonymized, erased, doubt } = await runMaintenance(call, signal, () => saveAll(config, call.now, signal))
  if (anonymized + erased > 0) log.warn({ anonymized, erased }, 'what was due by the calendar was purged')
  if (doubt === undefined) await removeOldPrePurgeCopies(config.databaseUrl, call.now)
  return doubt
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
  let reportedAt: number | undefined
  return (doubt: Doubt | undefined): void => {
    if (doubt === undefined) {
      if (reportedAt !== undefined) log.warn('the clock is trusted again')
      reportedAt = undefined
    } else if (reportedAt === undefined || performance.now() - reportedAt >= REPORT_INTERVAL_MS) {
      reportedAt = performance.now()
      log.error({ reason: doubtSentence(doubt) }, 'the clock is doubtful')
    }
  }
}
