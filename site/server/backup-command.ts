import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { projectRoot } from '#db/config/places.ts'
import { log } from './log.ts'

/** A disk that hangs must not block the backups of the following nights. */
const TIMEOUT_MS = 60 * 60 * 1000
/** How long it may clean up when it is told to end. */
const CLEANUP_MS = 10_000

const launcher = join(projectRoot, 'cli', 'launcher.cjs')
const start = promisify(execFile)

/** Whether the command did what it should; if not, what it said. `stopped`: the site is stopping. */
export type Ended = { kind: 'done' } | { kind: 'stopped' } | { kind: 'failed'; code: unknown; reason: string }

/**
 * Runs `rsvp backup …` in a process of its own, so that no request waits for it. One that is under way when the site stops is
 * canceled and leaves nothing behind.
 * @param failure what the log says when it fails.
 */
export async function runBackupCommand(words: string[], failure: string, signal: AbortSignal): Promise<Ended> {
  const ended = new AbortController()
  try {
    const running = start(process.execPath, [launcher, 'backup', ...words, '--quiet'], { signal, timeout: TIMEOUT_MS })
    await Promise.race([running, giveUp(running.child, ended.signal)])
    return { kind: 'done' }
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' }
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    const reason = stderr.trim()
    log.error({ reason }, failure)
    return { kind: 'failed', code, reason }
  } finally {
    ended.abort()
  }
}

/** A process that waits for a disk that is gone does not end when it is told to, and sometimes not even when it is killed. */
async function giveUp(child: ChildProcess, signal: AbortSignal): Promise<never> {
  await delay(TIMEOUT_MS + CLEANUP_MS, undefined, { signal, ref: false })
  child.kill('SIGKILL')
  throw Object.assign(new Error('given up'), { stderr: 'It did not end within an hour: look at the disk it uses.' })
}
