import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isBackupDue } from '#db/backup/due.ts'
import { listBackups, momentOf, newestOf } from '#db/backup/names.ts'
import { type Config, projectRoot } from '#db/config/config.ts'
import { reportDamage } from '#db/health/operations.ts'
import { log } from './log.ts'
import { siteCall } from './site-call.ts'

/** How often it is looked whether one is due, in ms. */
const LOOK_INTERVAL = 60_000
/** After one that failed, in ms: a disk that is full now may have room in an hour. */
const RETRY_INTERVAL = 60 * 60 * 1000
/** A disk that does not answer must not keep the next nights from theirs, in ms. */
const TIME_LIMIT = 60 * 60 * 1000
/** What `rsvp backup` ends with when the database is damaged. */
const EXIT_DAMAGED = 78

const launcher = join(projectRoot, 'cli', 'launcher.cjs')
const start = promisify(execFile)

/**
 * Makes a backup every night, or as soon as the site runs again, with the command `rsvp backup`: a process of its own
 * keeps nobody waiting. Answers how to stop that; one under way is ended and leaves nothing behind.
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
    await delay(failed ? RETRY_INTERVAL : LOOK_INTERVAL, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** What somebody has put elsewhere is no backup of this night: only the folder counts, which may be on another disk. */
async function isDueNow(folder: string, time: string): Promise<boolean> {
  const now = new Date()
  const last = newestOf(await listBackups(folder), now)
  return isBackupDue(last === undefined ? undefined : momentOf(last), now, time)
}

/** Answers whether it was made. */
export async function backUp(folder: string, keep: number, signal: AbortSignal): Promise<boolean> {
  const words = ['backup', '--out', folder, '--keep', String(keep), '--quiet']
  try {
    await start(process.execPath, [launcher, ...words], { signal, timeout: TIME_LIMIT })
    return true
  } catch (error) {
    if (signal.aborted) return false
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    log.error({ sentence: stderr?.trim() }, 'the nightly backup failed')
    if (code === EXIT_DAMAGED && /^The database is damaged/.test(stderr ?? ''))
      await reportDamage(undefined, siteCall())
    return false
  }
}
