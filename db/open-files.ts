import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { UserError } from './errors.ts'

/** Whether it failed because this process, or the whole system, has as many files and connections open as it may. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^E[MN]FILE$/.test(String(error.code))
}

/** The same for who cannot tell why a file does not open. */
export function areFilesUsedUp(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return false
  } catch (error) {
    return isOutOfFiles(error)
  }
}

export function outOfFiles(): UserError {
  return new UserError(
    'unavailable',
    'Too many connections and files are open on the server. Try again in a few seconds; if that happens often, let the service open more of them (LimitNOFILE, or ulimit -n).',
  )
}
