import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { UserError } from '#db/errors.ts'

/** The code that the system or a driver gave an error, e.g. `ENOSPC`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/**
 * The stack frames of an error without its message, which can contain personal data. The message comes first in a stack
 * and may itself have lines that look like frames.
 */
export function stackFramesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { stack = '', message } = error
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length)
  return frames
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
}

export function isOutOfFiles(error: unknown): boolean {
  return /^E[MN]FILE$/.test(errorCodeOf(error))
}

/** Whether that limit is reached now, for errors that do not say why a file does not open. */
export function isFileLimitReached(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return false
  } catch (error) {
    return isOutOfFiles(error)
  }
}

export function fileLimitError(): UserError {
  return new UserError(
    'unavailable',
    'Too many connections and files are open on the server. Try again in a few seconds; if this happens often, raise its limit of open files (LimitNOFILE, or ulimit -n).',
  )
}
