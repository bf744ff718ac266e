import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isBackupDue } from '#db/backup/due.ts'
import { listBackups, momentOfBackup, newestOf } from '#db/backup/names.ts'
import { hasRecentBackup, keepPrePurgeCopy, removeOldPrePurgeCopies } from '#db/backup/safeguards.ts'
import type { Config } from '#db/config/config.ts'
import { reportDamage } from '#db/health.ts'
import { runMaintenance } from '#db/rsvp/maintenance.ts'
import { writeStandingRsvps } from '#db/rsvp/write-weeks.ts'
import { errorCodeOf, isOutage, UserError } from '#db/values/errors.ts'
import { log, logBug } from './log.ts'
import { buildFolder, siteCall } from './program.ts'

/** The first visitors after a start must not wait for maintenance and backups. */
const FIRST_PAUSE_MS = 1000
const MAINTENANCE_INTERVAL_MS = 60 * 60 * 1000
/** The pause between checks for anything due, and after a failure. */
const CHECK_INTERVAL_MS = 60_000
/** A full disk may have room in an hour. */
const BACKUP_RETRY_INTERVAL_MS = 60 * 60 * 1000

const EXIT_DAMAGED = 78
/** A disk that hangs must not prevent the backups of the following nights. */
const TIMEOUT_MS = 60 * 60 * 1000
const rsvp = join(buildFolder, 'cli', 'rsvp.js')
const start = promisify(execFile)

/** Runs the maintenance every hour. */
export async function keepMaintained(config: Config, signal: AbortSignal): Promise<void> {
  await pause(FIRST_PAUSE_MS, signal)
  await repeat(signal, async () => {
    const doubt = await runOnce(config, signal)
    if (doubt !== undefined) log.warn({ reason: doubt }, 'the clock may be wrong')
    return MAINTENANCE_INTERVAL_MS
  })
}

/** Writes the RSVPs of households that come every week, for each service as soon as the previous one is over. */
export async function keepStandingWritten(signal: AbortSignal): Promise<void> {
  await repeat(signal, async () => {
    await writeStandingRsvps(siteCall())
    return CHECK_INTERVAL_MS
  })
}

/** Makes a backup every night, or as soon as the site runs again. */
export async function keepBackedUp({ backupFolder, backupsKept }: Config, signal: AbortSignal): Promise<void> {
  if (backupFolder === undefined) return
  await pause(FIRST_PAUSE_MS, signal)
  await repeat(signal, async () => {
    const hasFailed = (await isBackupDueNow(backupFolder)) && !(await backUp(backupFolder, backupsKept, signal))
    return hasFailed ? BACKUP_RETRY_INTERVAL_MS : CHECK_INTERVAL_MS
  })
}

/** Repeats `run` until the site stops. @param run returns the pause until the next run, in ms. */
async function repeat(signal: AbortSignal, run: () => Promise<number>): Promise<void> {
  while (!signal.aborted) {
    const milliseconds = await run().catch((error) => {
      if (!isOutage(error)) logBug(error, 'maintenance')
      return CHECK_INTERVAL_MS
    })
    await pause(milliseconds, signal)
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal, ref: false }).catch(() => {})
}

async function runOnce(config: Config, signal: AbortSignal): Promise<string | undefined> {
  const { now } = siteCall()
  const { anonymized, erased, doubt } = await runMaintenance(siteCall, signal, () => saveAll(config, now, signal))
  if (anonymized + erased > 0) log.warn({ anonymized, erased }, 'old responses were purged by date')
  if (doubt === undefined) await removeOldPrePurgeCopies(config.databaseUrl, now)
  return doubt
}

/** Makes the backup or copy without which nothing is purged. @returns whether there is one. */
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

/**
 * Runs `rsvp backup` in a process of its own, so that no request waits for it. A stop of the site cancels the command,
 * which then leaves nothing behind.
 * @returns whether the backup was made.
 */
async function backUp(folder: string, keep: number, signal: AbortSignal): Promise<boolean> {
  try {
    const command = [rsvp, 'backup', '--out', folder, '--keep', String(keep), '--quiet']
    // biome-ignore lint/style/noProcessEnv: no setting is read, but all are passed to the command.
    const env = { ...process.env, RSVP_ACTOR: 'site' }
    await start(process.execPath, command, { env, signal, timeout: TIMEOUT_MS })
    return true
  } catch (error) {
    if (signal.aborted) return false
    const { code, killed, stderr = '' } = error as { code?: unknown; killed?: boolean; stderr?: string }
    const reason = killed ? 'It did not end within an hour: look at the disk it uses.' : stderr.trim()
    log.error({ reason }, 'the nightly backup failed')
    if (code === EXIT_DAMAGED && reason.startsWith('The database is damaged')) await reportDamage()
    return false
  }
}

/** Only backups in the folder count, because it may be on another disk. */
async function isBackupDueNow(folder: string): Promise<boolean> {
  const now = new Date()
  const last = newestOf(await listBackups(folder), now)
  return isBackupDue(last === undefined ? undefined : momentOfBackup(last), now)
}
