/** From a server or proxy that has not looked at the request. */
const TOO_MANY_REQUESTS = 429
/**
 * From load balancers without a server, but also when the server disappears during a request: Envoy sends 503 for both.
 */
const GATEWAY_ERRORS = [502, 503, 504]
const NOT_AUTHORIZED = [401, 403]

/** Failures before the first byte of a request is sent. */
const UNSENT_CALLS = ['connect', 'getaddrinfo']
const UNSENT_CODES = ['UND_ERR_CONNECT_TIMEOUT']

/** A request to a libSQL server without a complete reply. */
export class LostRequest extends Error {
  override name = 'LostRequest'
  /** The server may have received and executed it all the same. */
  readonly mayHaveArrived: boolean

  constructor({ mayHaveArrived }: { mayHaveArrived: boolean }) {
    super('The libSQL server did not reply.')
    this.mayHaveArrived = mayHaveArrived
  }
}

/** The libSQL server does not accept the token, or the token lacks a permission. */
export class NotAuthorized extends Error {
  override name = 'NotAuthorized'
  readonly status: number

  constructor(status: number) {
    super('The libSQL server refused the token.')
    this.status = status
  }
}

/**
 * Sends a request and reads the whole reply; a truncated reply counts as lost.
 * @throws LostRequest, NotAuthorized
 */
export async function send(request: Request, signal: AbortSignal): Promise<Response> {
  const { status, headers, body } = await fetchReply(request, signal)
  if (NOT_AUTHORIZED.includes(status)) throw new NotAuthorized(status)
  if (status === TOO_MANY_REQUESTS) throw new LostRequest({ mayHaveArrived: false })
  if (GATEWAY_ERRORS.includes(status)) throw new LostRequest({ mayHaveArrived: true })
  return new Response(body, { status, headers })
}

async function fetchReply(request: Request, signal: AbortSignal) {
  try {
    const reply = await fetch(request, { signal })
    return { status: reply.status, headers: reply.headers, body: await reply.arrayBuffer() }
  } catch (error) {
    throw new LostRequest({ mayHaveArrived: !isUnsent(error) })
  }
}

/** A name with several addresses fails with the error of each one. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return causes.length > 0 && causes.every(isConnectionError)
}

function isConnectionError(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if ('syscall' in cause && UNSENT_CALLS.includes(String(cause.syscall))) return true
  return 'code' in cause && UNSENT_CODES.includes(String(cause.code))
}
