import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isBackupDue } from '#db/backup/due.ts'
import { listBackups, momentOf, newestOf } from '#db/backup/names.ts'
import type { Config } from '#db/config/config.ts'
import { projectRoot } from '#db/config/project-root.ts'
import { reportDamage } from '#db/health/operations.ts'
import { log } from './log.ts'
import { siteCall } from './site-call.ts'

/** Between two checks whether a backup is due. */
const CHECK_INTERVAL_MS = 60_000
/** After a failed backup: a disk that is full now may have room in an hour. */
const RETRY_INTERVAL_MS = 60 * 60 * 1000
/** A disk that hangs must not block the backups of the following nights. */
const BACKUP_TIMEOUT_MS = 60 * 60 * 1000
/** Exit code of `rsvp backup` when the database is damaged. */
const EXIT_DAMAGED = 78

const launcher = join(projectRoot, 'cli', 'launcher.cjs')
const start = promisify(execFile)

/**
 * Makes a backup every night, or as soon as the site runs again. The command `rsvp backup` does it in a process of its own,
 * so that no request waits for it. Returns a function that stops this; a backup in progress is canceled and leaves
 * nothing behind.
 */
export function startNightlyBackups(config: Config): () => Promise<void> {
  const stopping = new AbortController()
  const running = run(config, stopping.signal)
  return async () => {
    stopping.abort()
    await running
  }
}

async function run({ backupFolder, backupTime, backupsKept }: Config, signal: AbortSignal): Promise<void> {
  if (backupFolder === undefined) return
  while (!signal.aborted) {
    const failed = (await isDueNow(backupFolder, backupTime)) && !(await backUp(backupFolder, backupsKept, signal))
    await delay(failed ? RETRY_INTERVAL_MS : CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** Only backups in the folder count, which may be on another disk; one that was written elsewhere does not. */
async function isDueNow(folder: string, time: string): Promise<boolean> {
  const now = new Date()
  const last = newestOf(await listBackups(folder), now)
  return isBackupDue(last === undefined ? undefined : momentOf(last), now, time)
}

/** Returns whether the backup was made. */
export async function backUp(folder: string, keep: number, signal: AbortSignal): Promise<boolean> {
  const words = ['backup', '--out', folder, '--keep', String(keep), '--quiet']
  try {
    await start(process.execPath, [launcher, ...words], { signal, timeout: BACKUP_TIMEOUT_MS })
    return true
  } catch (error) {
    if (signal.aborted) return false
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    log.error({ reason: stderr?.trim() }, 'the nightly backup failed')
    if (code === EXIT_DAMAGED && /^The database is damaged/.test(stderr ?? '')) await reportDamage(siteCall())
    return false
  }
}
