import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '#db/config/project-root.ts'
import { log } from './log.ts'

/** A disk that hangs must not block the backups of the following nights. */
const TIMEOUT_MS = 60 * 60 * 1000

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
  try {
    await start(process.execPath, [launcher, 'backup', ...words, '--quiet'], { signal, timeout: TIMEOUT_MS })
    return { kind: 'done' }
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' }
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    const reason = stderr.trim()
    log.error({ reason }, failure)
    return { kind: 'failed', code, reason }
  }
}
