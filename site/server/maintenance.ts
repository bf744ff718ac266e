import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findLastSent, findUnsent, getLastDrills } from '#db/backup/copies/history.ts'
import { isBackupDue, isDrillDue } from '#db/backup/due.ts'
import { listBackups, momentOfBackup, newestOf } from '#db/backup/names.ts'
import { hasRecentBackup, keepPrePurgeCopy, removeOldPrePurgeCopies } from '#db/backup/safeguards.ts'
import { type Doubt, doubtSentence } from '#db/clock/clock.ts'
import type { Config } from '#db/config/config.ts'
import { projectRoot } from '#db/config/places.ts'
import { isOutage, UserError } from '#db/errors.ts'
import { reportDamage } from '#db/health/operations.ts'
import { runMaintenance } from '#db/maintenance/maintenance.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { renewEveryPublicName } from '#db/rsvp/names.ts'
import { stampServiceDates } from '#db/rsvp/service-dates.ts'
import { writeStandingRsvps } from '#db/standing/write.ts'
import { log, logBug } from './log.ts'
import { asOperation, siteCall } from './site-call.ts'

/** The first visitors after a start do not wait for maintenance and backups. */
const FIRST_PAUSE_MS = 1000
const MAINTENANCE_INTERVAL_MS = 60 * 60 * 1000
/** While the clock is doubtful, or the database could not be used. */
const RETRY_INTERVAL_MS = 60_000
/** How often it is checked whether anything is due. */
const CHECK_INTERVAL_MS = 60_000
/** After a failure: a disk that is full now may have room in an hour. */
const BACKUP_RETRY_INTERVAL_MS = 60 * 60 * 1000

/** `run` returns whether it succeeded. `notBefore` is a time of performance.now(). */
type Task = { isDue: () => Promise<boolean>; run: () => Promise<boolean>; notBefore: number }

const EXIT_DAMAGED = 78
/** A disk that hangs must not block the backups of the following nights. */
const TIMEOUT_MS = 60 * 60 * 1000
/** How long a backup may clean up when it is told to end. */
const CLEANUP_MS = 10_000
const launcher = join(projectRoot, 'cli', 'launcher.cjs')
const start = promisify(execFile)

/** Runs the maintenance every hour, until it is stopped between two writes. */
export async function keepMaintained(config: Config, signal: AbortSignal): Promise<void> {
  let renewed = false
  let isReported = false
  await pause(FIRST_PAUSE_MS, signal)
  while (!signal.aborted) {
    let doubt: Doubt | undefined
    let failed = false
    try {
      // Names shown by an older rule are renewed whatever the clock says.
      if (!renewed) await asOperation(() => renewEveryPublicName(signal))
      renewed = true
      doubt = await asOperation(() => runOnce(config, signal))
      const level = doubt?.stops === 'everything' ? 'error' : 'warn'
      if (doubt !== undefined && !isReported) log[level]({ reason: doubtSentence(doubt) }, 'the clock is doubtful')
      isReported = doubt !== undefined
    } catch (error) {
      failed = true
      if (!isOutage(error)) logBug(error, 'maintenance')
    }
    await pause(failed || doubt !== undefined ? RETRY_INTERVAL_MS : MAINTENANCE_INTERVAL_MS, signal)
  }
}

/**
 * Stamps RSVPs that have no service date, after a command that changed the schedule was interrupted or an older site
 * wrote into the same database. Writes those of households that come every week: what was missed at once, then each
 * service as soon as the one before is over, until it is stopped.
 */
export async function keepStandingWritten(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await asOperation(stampServiceDates)
      if (!signal.aborted) await writeStandingRsvps(siteCall())
    } catch (error) {
      if (!isOutage(error)) logBug(error, 'maintenance')
    }
    await pause(CHECK_INTERVAL_MS, signal)
  }
}

/**
 * Makes a backup every night, or as soon as the site runs again, sends a copy of it to the other place, and tests every
 * month that the newest can be restored; one after the other, because each needs the result of the one before.
 */
export async function keepBackedUp(config: Config, signal: AbortSignal): Promise<void> {
  const tasks = backupTasks(config, signal)
  await pause(FIRST_PAUSE_MS, signal)
  while (tasks.length > 0 && !signal.aborted) {
    for (const task of tasks) {
      if (signal.aborted || performance.now() < task.notBefore || !(await isDue(task))) continue
      if (!(await task.run())) task.notBefore = performance.now() + BACKUP_RETRY_INTERVAL_MS
    }
    await pause(CHECK_INTERVAL_MS, signal)
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal, ref: false }).catch(() => {})
}

async function runOnce(config: Config, signal: AbortSignal): Promise<Doubt | undefined> {
  const { now } = siteCall()
  const { anonymized, erased, doubt } = await runMaintenance(siteCall, signal, () => saveAll(config, now, signal))
  if (anonymized + erased > 0) log.warn({ anonymized, erased }, 'old responses were purged by date')
  if (doubt === undefined) await removeOldPrePurgeCopies(config.databaseUrl, now)
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
    log.error({ reason }, 'nothing was purged, because no copy could be made')
    return false
  }
}

/** In the order in which they run. */
function backupTasks({ backupFolder: folder, backupTime, backupsKept, copies }: Config, signal: AbortSignal): Task[] {
  const tasks: Task[] = []
  function add(task: Omit<Task, 'notBefore'>): void {
    tasks.push({ ...task, notBefore: 0 })
  }
  if (folder !== undefined) {
    add({ isDue: () => isBackupDueNow(folder, backupTime), run: () => backUp(folder, backupsKept, signal) })
  }
  if (folder !== undefined && copies.place !== undefined) {
    add({
      isDue: async () => (await findUnsent(folder, copies, new Date())) !== undefined,
      run: async () =>
        (await runBackupCommand(['make', '--send-only'], 'no copy of the backup could be sent', signal)).isDone,
    })
  }
  // If the identity is elsewhere, so is the restore drill.
  if (copies.place === undefined ? folder !== undefined : copies.identityFile !== undefined) {
    const hasAny = async () =>
      copies.place === undefined
        ? (await listBackups(folder ?? '')).length > 0
        : (await findLastSent(copies)) !== undefined
    add({
      isDue: async () => isDrillDue((await getLastDrills()).last, new Date()) && (await hasAny()),
      run: async () => (await runBackupCommand(['verify'], 'the restore drill failed', signal)).isDone,
    })
  }
  return tasks
}

/** Sends no copy: that is retried without making another backup. Returns whether the backup was made. */
async function backUp(folder: string, keep: number, signal: AbortSignal): Promise<boolean> {
  const words = ['--out', folder, '--create-folder', '--keep', String(keep), '--no-copy']
  const { isDone, isDamaged } = await runBackupCommand(words, 'the nightly backup failed', signal)
  if (isDamaged) await reportDamage(siteCall())
  return isDone
}

/**
 * Runs `rsvp backup …` in a process of its own, so that no request waits for it. If the site stops meanwhile, it is
 * canceled and leaves nothing behind.
 * @param failure the log message if it fails.
 */
async function runBackupCommand(words: string[], failure: string, signal: AbortSignal) {
  const ended = new AbortController()
  try {
    const command = [launcher, 'backup', ...words, '--quiet']
    // biome-ignore lint/style/noProcessEnv: no setting is read: the command gets all of them.
    const env = { ...process.env, RSVP_ACTOR: 'site' }
    const running = start(process.execPath, command, { env, signal, timeout: TIMEOUT_MS })
    await Promise.race([running, giveUp(running.child, ended.signal)])
    return { isDone: true, isDamaged: false }
  } catch (error) {
    if (signal.aborted) return { isDone: false, isDamaged: false }
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    const reason = stderr.trim()
    log.error({ reason }, failure)
    return { isDone: false, isDamaged: code === EXIT_DAMAGED && reason.startsWith('The database is damaged') }
  } finally {
    ended.abort()
  }
}

/** A database that cannot be read now can be in a minute. */
async function isDue(task: Task): Promise<boolean> {
  try {
    return await asOperation(task.isDue)
  } catch (error) {
    if (isOutage(error)) return false
    throw error
  }
}

/** Only backups in the folder count, which may be on another disk; one that was written elsewhere does not. */
async function isBackupDueNow(folder: string, time: string): Promise<boolean> {
  const now = new Date()
  const last = newestOf(await listBackups(folder), now)
  return isBackupDue(last === undefined ? undefined : momentOfBackup(last), now, time)
}

/** A process that waits for a lost disk does not end on SIGTERM, and sometimes not even on SIGKILL. */
async function giveUp(child: ChildProcess, signal: AbortSignal): Promise<never> {
  await delay(TIMEOUT_MS + CLEANUP_MS, undefined, { signal, ref: false })
  child.kill('SIGKILL')
  throw Object.assign(new Error('given up'), { stderr: 'It did not end within an hour: look at the disk it uses.' })
}
