import type { StoredCopy } from '#db/backup/names.ts'
import { UserError } from '#db/errors.ts'

export type Surroundings = {
  signal: AbortSignal
  /** For ssh: where programs and keys are. */
  env: NodeJS.ProcessEnv
  silenceMs?: number
  /** Called when a disk operation never returns: it keeps the process from exiting, even with process.exit(). */
  leftBehind?: () => void
}

/** Another place for copies. Every failure is a UserError 'unavailable', or 'full', that names the place and the reason. */
export type Place = {
  title: string
  /** All files there, not only copies. */
  list: () => Promise<StoredCopy[]>
  /** Atomic: the file appears whole under this name, or not at all. */
  send: (file: string, name: string) => Promise<void>
  /** Fetches into an existing empty file. */
  fetch: (name: string, file: string) => Promise<void>
  remove: (names: string[]) => Promise<void>
}

export function placeError(title: string, reason: string, todo: string): UserError {
  return new UserError('unavailable', `${title} cannot be used: ${reason}. ${todo}`)
}

export function fullHere(): UserError {
  return new UserError('full', 'The disk of the database is full, so no copy can be unpacked beside it: make room.')
}

/**
 * Runs work at a place until it ends, is aborted, or makes no progress for `silenceMs`. A call to a lost network disk
 * never returns and cannot be canceled, so it is abandoned.
 * @param work calls `moved` at every progress.
 */
export async function untilSilent<Output>(
  title: string,
  { signal, silenceMs, leftBehind }: Required<Surroundings>,
  work: (moved: () => void) => Promise<Output>,
): Promise<Output> {
  signal.throwIfAborted()
  const { promise: ended, reject: end } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    leftBehind()
    end(silent(title, silenceMs))
  }, silenceMs)
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([work(() => void timer.refresh()), ended])
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

export function silent(title: string, silenceMs: number) {
  const reason = `it said nothing for ${Math.ceil(silenceMs / 1000)} s`
  return placeError(title, reason, 'Check that it is reachable, then try again.')
}
