/**
 * Errors meant for people. Each front end translates the code: an HTTP status, an exit code. `overloaded` is more work
 * at once than the site takes on; `full` is a disk without room; `unavailable` is storage that cannot be reached now but
 * may be in a moment; `busy` is a database that another process kept locked for too long; `damaged` is a file that only a
 * backup can replace; `not-sent` is what the mail server has not taken.
 */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'already-exists'
  | 'changed-meanwhile'
  | 'deleted'
  | 'conflict'
  | 'gone'
  | 'key-reused'
  | 'unsupported-media-type'
  | 'too-slow'
  | 'too-large'
  | 'address-too-long'
  | 'misdirected'
  | 'too-many'
  | 'overloaded'
  | 'unexpected'
  | 'unavailable'
  | 'busy'
  | 'damaged'
  | 'full'
  | 'configuration'
  | 'not-sent'

/** The message for one field. `path` is dotted, e.g. `familyMembers.0.name`. */
export type FieldError = { path: string; message: string }

/** An error meant for a person: its message is a sentence that says what to do next. Everything else is a bug. */
export class UserError extends Error {
  override name = 'UserError'
  readonly code: ErrorCode
  readonly fields: FieldError[]
  /** When to try again, in seconds, if known. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, fields: FieldError[] = [], retryAfter?: number) {
    super(message)
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** The refusal of one field of the input. */
export function fieldError(path: string, message: string, code: ErrorCode = 'invalid'): UserError {
  return new UserError(code, message, [{ path, message }])
}

/** Whether the storage failed, rather than the request. */
export function isOutage(error: unknown): error is UserError {
  return error instanceof UserError && /^(unavailable|busy|damaged|full)$/.test(error.code)
}

const IS_OLDER = 'This database was written by an older version.'
/** The refusal of a database that must not be migrated. */
export const OLDER_VERSION = `${IS_OLDER} Restart the site, or run \`rsvp migrate\`, which keeps a copy first; the database was not changed.`

/** Compares only the beginning, because the command in the sentence may name the database. */
export function isOlder(error: unknown): error is UserError {
  return error instanceof UserError && error.message.startsWith(IS_OLDER)
}

/** Undefined for what is not found. */
export async function ifFound<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  return looking.catch((error) => {
    if (error instanceof UserError && error.code === 'not-found') return undefined
    throw error
  })
}
