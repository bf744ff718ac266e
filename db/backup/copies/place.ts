import { UserError } from '#db/errors.ts'
import type { StoredCopy } from './copy-name.ts'

/** What work at a place needs of its process. */
export type Surroundings = {
  /** Ends it before it is done. */
  signal: AbortSignal
  /** For ssh: where programs and keys are. */
  env: NodeJS.ProcessEnv
  /** How long the place may be silent, in ms. */
  silenceMs?: number
  /** Told that a call of a disk never comes back: it keeps the process from ending, also by process.exit(). */
  leftBehind?: () => void
}

/** Another place for copies. Every failure is a UserError 'unavailable', or 'full', that names the place and the reason. */
export type Place = {
  /** As the settings name it. */
  title: string
  /** The files there, ours and others. */
  list: () => Promise<StoredCopy[]>
  /** Puts a file there under this name: whole, or not at all. */
  send: (file: string, name: string) => Promise<void>
  /** Gets a file into one that exists and is empty. */
  fetch: (name: string, file: string) => Promise<void>
  remove: (names: string[]) => Promise<void>
}

/** What went wrong at a place, as an error for a person. */
export function placeError(title: string, reason: string, todo: string): UserError {
  return new UserError('unavailable', `${title} cannot be used: ${reason}. ${todo}`)
}

/** The disk on which a copy is unpacked. */
export function fullHere(): UserError {
  return new UserError('full', 'The disk of the database is full, so no copy can be unpacked beside it: make room.')
}
