import type { FieldError } from '#db/errors.ts'
import type { BodyOf, CallAddress, CallAt, HeadersOf, ReplyOf } from '#site/call-types.ts'
import type { CallName } from '#site/calls.ts'

/** A reply that is not a success. The message is `{status}: {body, or the status text where there is none}`. */
export class ResponseError extends Error {
  override name = 'ResponseError'
  readonly status: number
  /** What happened and what to do about it, in a sentence, where the server gives one. */
  readonly detail: string | undefined
  /** Messages that belong beside a field. */
  readonly fields: FieldError[]

  constructor(status: number, text: string) {
    super(`${status}: ${text}`)
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

/** Its JSON is what the table of calls promises. */
type Reply<Name extends CallName> = Omit<Response, 'json'> & { json: () => Promise<ReplyOf<Name>> }

/**
 * The one fetch: cookies go along, JSON goes out.
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

/** The revision that an entity tag names, in whatever way a proxy has rewritten it. */
export function revisionOf({ headers }: Pick<Response, 'headers'>): number | undefined {
  const [digits] = /\d+/.exec(headers.get('etag') ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

function problemIn(text: string): { detail?: unknown; errors?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function isFieldError(value: unknown): value is FieldError {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value
}
