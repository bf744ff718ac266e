import { dayText, isDay, waitText } from './dates.ts'
import { type Refusal, refusals } from './refusals.ts'

/**
 * Each front end translates the code, to an HTTP status or an exit code. `overloaded`: too much work at once; `full`: a
 * full disk; `unavailable`: storage that cannot be reached now, but perhaps in a moment; `busy`: a database that another
 * process has locked for too long; `damaged`: a file that only a backup can replace; `not-sent`: the mail server has not
 * taken a message.
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

/** A refusal in English, which the catalogues translate by its name, or otherwise by its English text. */
export type Refused = { message: string; refusal?: string | undefined; values?: Values | undefined }

/** The refusal of one field. `path` is dotted, e.g. `familyMembers.0.name`. */
export type FieldError = Refused & { path: string }

const byName = new Map<string, { code: string; text: string }>(
  Object.entries(refusals satisfies Partial<Record<ErrorCode, object>>).flatMap(([code, texts]) =>
    Object.entries(texts).map(([name, text]) => [name, { code, text }] as const),
  ),
)

/**
 * An error for a person, whose message is a sentence that says what to do next. Everything else is a bug. What people read
 * on the site is one of `refusals`; a code with a sentence is for programs and for whoever runs the server.
 */
export class UserError extends Error implements Refused {
  override name = 'UserError'
  code: ErrorCode
  readonly refusal: string | undefined
  readonly values: Values | undefined
  fields: FieldError[] = []

  constructor(refusal: Refusal, values?: Values)
  constructor(code: ErrorCode, sentence: string)
  constructor(name: string, given?: Values | string) {
    const known = byName.get(name)
    super(typeof given === 'string' ? given : inEnglish(known?.text ?? name, given))
    this.code = (known?.code ?? name) as ErrorCode
    this.refusal = known && name
    this.values = typeof given === 'string' ? undefined : given
  }

  /** When to try again, in seconds, if known. */
  get retryAfter(): number | undefined {
    return this.values?.wait === undefined ? undefined : Number(this.values.wait)
  }

  /** The refusal in a form that can be stored or sent. */
  get refused(): Refused {
    const { message, refusal, values } = this
    return { message, refusal, values }
  }

  /** Attaches the error to a field of the input. @param code replaces the code of the refusal. */
  at(path: string, code = this.code): this {
    this.fields = [{ path, ...this.refused }]
    this.code = code
    return this
  }
}

function inEnglish(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => valueText(name, values[name] ?? ''))
}

/** Whether the storage failed, rather than the request. */
export function isOutage(error: unknown): error is UserError {
  return error instanceof UserError && /^(unavailable|busy|damaged|full)$/.test(error.code)
}

export const DAMAGED = 'The database is damaged. Stop the site and restore a backup with `rsvp backup restore FILE`.'

const IS_OLDER = 'This database was written by an older version.'
/** The refusal of a database that must not be migrated. */
export const OLDER_VERSION = `${IS_OLDER} Restart the site, or run \`rsvp migrate\`, which keeps a copy first; the database was not changed.`

/** Compares only the beginning, because the command in the sentence may name the database. */
export function isOlder(error: unknown): error is UserError {
  return error instanceof UserError && error.message.startsWith(IS_OLDER)
}

/** Undefined instead of an error 'not-found'. */
export async function ifFound<Found>(result: Promise<Found>): Promise<Found | undefined> {
  return result.catch((error) => {
    if (error instanceof UserError && error.code === 'not-found') return undefined
    throw error
  })
}

/** A value in a refusal: a day as `2026-11-21`, a number, e.g. of seconds to wait, or names of roles. */
export type Value = string | number | readonly string[]
export type Values = Readonly<Record<string, Value>>

/** A value of a refusal in words. @param named translates the names of roles, and `this week`. */
export function valueText(name: string, value: Value, locale = 'en-US', named = (text: string) => text): string {
  if (name === 'wait') return waitText(Number(value), locale)
  if (typeof value === 'number') return value.toLocaleString(locale)
  if (typeof value !== 'string') return new Intl.ListFormat(locale).format(value.map(named))
  if (/^(day|next|when)$/.test(name) && isDay(value)) return dayText(value, locale)
  return /^(role|when)$/.test(name) ? named(value) : value
}

/** The code that the system or a driver gave an error, e.g. `ENOSPC`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/**
 * The stack frames of an error without its message, which can contain personal data. In a stack the message comes first,
 * and may have lines that look like frames.
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
