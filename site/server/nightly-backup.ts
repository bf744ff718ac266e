import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '#db/config/config.ts'
import { isOutage } from '#db/errors.ts'
import type { Task } from './backup-tasks.ts'

/** Between two checks whether anything is due. */
const CHECK_INTERVAL_MS = 60_000
/** After a failure: a disk that is full now may have room in an hour. */
const RETRY_INTERVAL_MS = 60 * 60 * 1000

/**
 * Makes a backup every night, or as soon as the site runs again, sends a copy of it to the other place, and every month
 * proves that the newest can be restored. Returns a function that stops this.
 */
export function startNightlyBackups(config: Config): () => Promise<void> {
  const stopping = new AbortController()
  const running = runTasks(config, stopping.signal)
  return async () => {
    stopping.abort()
    await running
  }
}

/** One after the other, so that each finds what the one before it has made. */
async function runTasks(config: Config, signal: AbortSignal): Promise<void> {
  if (config.backupFolder === undefined && config.copies.place === undefined) return
  // Loaded late: a site that makes no backups does without.
  const { backupTasks } = await import('./backup-tasks.ts')
  const tasks = backupTasks(config, signal)
  while (tasks.length > 0 && !signal.aborted) {
    for (const task of tasks) {
      if (signal.aborted || performance.now() < task.notBefore || !(await isDue(task))) continue
      if (!(await task.run())) task.notBefore = performance.now() + RETRY_INTERVAL_MS
    }
    await delay(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** A database that cannot be read now can be in a minute. */
async function isDue(task: Task): Promise<boolean> {
  try {
    return await task.isDue()
  } catch (error) {
    if (isOutage(error)) return false
    throw error
  }
}
