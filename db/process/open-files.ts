import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from './error-code.ts'

/** Whether the error means that this process or the system has reached its limit of open files and connections. */
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
