/** Said by a server, or by what stands before it, that has not looked at the request. */
const REFUSED = 429
/**
 * Said by load balancers that have no server, and as well when the server went away in the midst of a request: with
 * Envoy 503 can be either.
 */
const UNANSWERED = [502, 503, 504]
const NOT_ADMITTED = [401, 403]

/** What goes wrong before the first byte of a request is sent. */
const UNSENT_CALLS = ['connect', 'getaddrinfo']
const UNSENT_CODES = ['UND_ERR_CONNECT_TIMEOUT']

/** A request that a libSQL server did not answer. */
export class LostRequest extends Error {
  override name = 'LostRequest'
  /** It may have arrived all the same, and have been done. */
  readonly maybeDone: boolean

  constructor({ maybeDone }: { maybeDone: boolean }) {
    super('The libSQL server did not answer.')
    this.maybeDone = maybeDone
  }
}

/** A libSQL server that does not know our token, or allows less with it than was asked. */
export class NotAdmitted extends Error {
  override name = 'NotAdmitted'
  readonly status: number

  constructor(status: number) {
    super('The libSQL server does not let us in.')
    this.status = status
  }
}

/**
 * Sends a request and takes the whole answer: one that is cut off is none.
 * @throws LostRequest, NotAdmitted
 */
export async function send(request: Request, signal: AbortSignal): Promise<Response> {
  const { status, headers, body } = await answerTo(request, signal)
  if (NOT_ADMITTED.includes(status)) throw new NotAdmitted(status)
  if (status === REFUSED) throw new LostRequest({ maybeDone: false })
  if (UNANSWERED.includes(status)) throw new LostRequest({ maybeDone: true })
  return new Response(body, { status, headers })
}

async function answerTo(request: Request, signal: AbortSignal) {
  try {
    const answer = await fetch(request, { signal })
    return { status: answer.status, headers: answer.headers, body: await answer.arrayBuffer() }
  } catch (error) {
    throw new LostRequest({ maybeDone: !isUnsent(error) })
  }
}

/** Where a name has several addresses, every one of them was tried. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return causes.length > 0 && causes.every(isOfConnecting)
}

function isOfConnecting(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if ('syscall' in cause && UNSENT_CALLS.includes(String(cause.syscall))) return true
  return 'code' in cause && UNSENT_CODES.includes(String(cause.code))
}
