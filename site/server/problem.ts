import { STATUS_CODES } from 'node:http'
import { type ErrorCode, type FieldError, isOutage, type Refused, UserError, valueText } from '#db/values/errors.ts'
import { currentTexts, fillIn, locale, roleName, t } from '#site/texts/texts.ts'
import { logBug, logOutage } from './log.ts'

const statusOf: Record<ErrorCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'already-exists': 412,
  'changed-meanwhile': 412,
  deleted: 409,
  conflict: 409,
  gone: 410,
  'key-reused': 422,
  'too-slow': 408,
  'too-large': 413,
  'address-too-long': 414,
  'unsupported-media-type': 415,
  misdirected: 421,
  'too-many': 429,
  overloaded: 503,
  unexpected: 500,
  unavailable: 503,
  busy: 503,
  damaged: 503,
  full: 507,
  configuration: 500,
  'not-sent': 503,
}

/** Retry-After of a 503, in seconds: how long the database waits for a lock. */
export const RETRY_AFTER_S = '5'

/** Problem details (RFC 9457), in the language of the reply. */
export type Problem = { title: string; status: number; detail: string; errors?: FieldError[] }

/** The error that people see after a bug. */
export function unexpected(): UserError {
  return new UserError('unexpected', 'Something went wrong on the server. Try again in a moment.')
}

export function problemOf(error: UserError): { status: number; headers: Record<string, string>; body: Problem } {
  const status = statusOf[error.code]
  const retryAfter = error.retryAfter?.toString() ?? (status === 503 ? RETRY_AFTER_S : undefined)
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
    body: {
      title: STATUS_CODES[status] ?? 'Error',
      status,
      detail: refusalText(error),
      ...(error.fields.length > 0 && {
        errors: error.fields.map((field) => ({ path: field.path, message: refusalText(field) })),
      }),
    },
  }
}

/** The sentence of a refusal in the language of the reply, or in English if the catalogue does not have it. */
export function refusalText({ message, refusal, values = {} }: Refused): string {
  const text = currentTexts().catalogue[refusal ?? message]
  if (typeof text !== 'string') return message
  const named = (name: string) => (name === 'this week' ? t('this week') : roleName(name))
  const words = Object.entries(values).map(([name, value]) => [name, valueText(name, value, locale(), named)])
  return fillIn(text, Object.fromEntries(words))
}

export function problemResponse(error: UserError, extraHeaders: Record<string, string> = {}): Response {
  const { status, headers, body } = problemOf(error)
  return new Response(JSON.stringify(body), { status, headers: { ...headers, ...extraHeaders } })
}

/** What a page shows if an operation refuses the caller. @throws any other error again. */
export function refusalOf(error: unknown): { message: string; status: number } {
  if (!(error instanceof UserError)) throw error
  if (isOutage(error)) logOutage(error)
  return { message: refusalText(error.fields[0] ?? error), status: statusOf[error.code] }
}

/** The reply to an error. A bug is logged, and its reply has no details. */
export function errorResponse(error: unknown, route: string): Response {
  if (isOutage(error)) logOutage(error)
  if (error instanceof UserError) return problemResponse(error)
  logBug(error, route)
  return problemResponse(unexpected())
}
