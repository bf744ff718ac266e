import type { FieldError } from '#db/values/errors.ts'
import type { BodyOf, CallAddress, CallAt, CallName, HeadersOf, ReplyOf } from '#site/calls.ts'

/** A reply that is not a success. The message is `{status}: {body}`, with the status text if there is no body. */
export class ResponseError extends Error {
  // Declared only: for Safari 15 a field of a class weighs 0.3 kB.
  declare readonly status: number
  /** What happened and what to do about it, in a sentence, if the server gives one. */
  declare readonly detail: string | undefined
  /** Messages that belong beside a field. */
  declare readonly fields: FieldError[]

  constructor(status: number, text: string) {
    super(`${status}: ${text}`)
    this.name = 'ResponseError'
    const { detail, errors } = problemIn(text)
    this.status = status
    this.detail = typeof detail === 'string' ? detail : undefined
    this.fields = Array.isArray(errors) ? errors.filter(isFieldError) : []
  }
}

export type Options<Name extends CallName> = {
  /** Sent as JSON. Without it there is neither a body nor a content type. */
  body?: BodyOf<Name>
  /** Sent as it is, with its own type. */
  upload?: Blob
  headers?: HeadersOf<Name>
}

/** A response whose JSON has the type from the table of calls. */
type Reply<Name extends CallName> = Omit<Response, 'json'> & { json: () => Promise<ReplyOf<Name>> }

/**
 * Makes every call, with cookies and JSON.
 * @throws ResponseError for every reply that is not a success; TypeError when the server cannot be reached.
 */
export async function request<Address extends CallAddress>(
  address: Address,
  { body, upload, headers }: Options<CallAt<Address>> = {},
): Promise<Reply<CallAt<Address>>> {
  const [method, path = ''] = address.split(' ')
  const response = await fetch(path, {
    method,
    credentials: 'include',
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...((upload ?? body) !== undefined && { body: upload ?? JSON.stringify(body) }),
  })
  if (!response.ok) throw new ResponseError(response.status, (await response.text()) || response.statusText)
  return response
}

/** The revision in an entity tag, even in one that a proxy has rewritten. */
export function revisionOf({ headers }: Pick<Response, 'headers'>): number | undefined {
  const [digits] = /\d+/.exec(headers.get('etag') ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

const RETRY_DELAY_MS = 10_000
const scheduled = new Set<string>()

/** Schedules another attempt to read a path, unless one is already scheduled for it. */
export function tryLater(path: string, attempt: () => unknown): void {
  if (scheduled.has(path)) return
  scheduled.add(path)
  setTimeout(() => {
    scheduled.delete(path)
    attempt()
  }, RETRY_DELAY_MS)
}

/** An Idempotency-Key. crypto.randomUUID is missing on plain http addresses. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function problemIn(text: string): { detail?: unknown; errors?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

function isFieldError(value: unknown): value is FieldError {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value
}

/** Whether the site itself replies, even with an error. The error page of a proxy has no detail. */
export async function isReached(): Promise<boolean> {
  try {
    await request('GET /api/health')
    return true
  } catch (error) {
    return error instanceof ResponseError && error.detail !== undefined
  }
}
