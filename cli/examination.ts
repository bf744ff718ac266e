import { type ExecFileException, execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Surroundings } from '#db/backup/copies/place.ts'
import type { Examine, Examined } from '#db/backup/copy.ts'
import { examineBackup } from '#db/backup/copy.ts'
import { projectRoot } from '#db/config/places.ts'
import { type ErrorCode, UserError } from '#db/errors.ts'
import { overridable } from '#db/test-override.ts'
import type { Context } from './context.ts'
import type { Io } from './io.ts'
import { printJson } from './output/output.ts'

/** Long enough to report the error and remove temporary files. */
const CLEANUP_MS = 2000
/** How long the examination of a backup may take: a million responses take some seconds. */
const EXAMINATION_TIMEOUT_MS = overridable('EXAMINATION_TIMEOUT_MS', 5 * 60_000)
const OUTPUT_MAXIMUM = 1024 * 1024

/** What `rsvp examine` prints. */
type Examination = Examined | { refusal: ErrorCode; message: string }

/** What backups and copies need from this process. */
export function surroundingsOf({ io, signal }: Context): Surroundings & { examine: Examine } {
  return {
    signal,
    env: io.env,
    // Before it exits, Node waits for every system call, and this one never returns.
    leftBehind: () => void setTimeout(() => io.kill(process.pid, 'SIGKILL'), CLEANUP_MS).unref(),
    examine: (file) => examineApart(file, signal),
  }
}

/** Runs in the process that `examineApart` starts. */
export async function printExamination(file: string, io: Io): Promise<void> {
  const examined: Examination = await examineBackup(file).catch((error) => {
    if (!(error instanceof UserError)) throw error
    return { refusal: error.code, message: error.message }
  })
  await printJson(examined, io)
}

/**
 * Examines a file in its own process, because a malicious file can keep it busy forever or crash it. The process gets
 * no settings of the site.
 */
async function examineApart(file: string, signal: AbortSignal): Promise<Examined> {
  const words = [join(projectRoot, 'cli', 'launcher.cjs'), 'examine', file]
  const options = { timeout: EXAMINATION_TIMEOUT_MS, maxBuffer: OUTPUT_MAXIMUM, env: {}, signal } as const
  const run = promisify(execFile)(process.execPath, words, { ...options, killSignal: 'SIGKILL' })
  let output: string
  try {
    output = (await run).stdout
  } catch (failure) {
    const error = failure as ExecFileException
    if (signal.aborted) throw signal.reason
    // It could not be started.
    if (typeof error.code === 'string' && error.syscall !== undefined) throw error
    const minutes = EXAMINATION_TIMEOUT_MS / 60_000
    const damage = error.killed
      ? `its examination was ended after ${minutes} minutes`
      : 'its examination ended in the middle'
    return { kind: 'damaged', damage }
  }
  const examined: Examination = JSON.parse(output)
  if ('refusal' in examined) throw new UserError(examined.refusal, examined.message)
  return examined
}
