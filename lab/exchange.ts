import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

/** No reply comes after this time, not even on a busy machine. */
const TIMEOUT_MS = 120_000

export type Call = { method: string; path: string; headers?: Record<string, string>; body?: string | undefined }
export type Reply = { status: number; headers: IncomingHttpHeaders; body: string; ms: number }

/** Why there is no reply, or not all of it. */
export class NoReply extends Error {
  /** The system's code, e.g. `ECONNRESET`; `timeout` for one that did not come in time. */
  readonly code: string
  /** The server may close an idle connection at the moment at which it is used again. */
  readonly isOnUsedConnection: boolean
  /** Whether the reply had begun. */
  readonly hasBegun: boolean

  constructor(code: string, { isOnUsedConnection, hasBegun }: { isOnUsedConnection: boolean; hasBegun: boolean }) {
    const connection = isOnUsedConnection ? 'a connection used before' : 'a new connection'
    super(`${hasBegun ? 'The reply was cut off' : 'There was no reply'} on ${connection} (${code}).`)
    this.code = code
    this.isOnUsedConnection = isOnUsedConnection
    this.hasBegun = hasBegun
  }
}

/** Describes a call as it is usually written, e.g. `POST /api/rsvp`, with a JSON body. */
export function callOf(call: string, json?: unknown, headers: Record<string, string> = {}): Call {
  const [method = '', path = ''] = call.split(' ')
  if (json === undefined) return { method, path, headers }
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(json) }
}

/**
 * Sends one request and reads the whole reply.
 * @param url the site; the path is sent as it is, without any normalization.
 * @throws NoReply where no reply comes, where it is cut off and where it is late.
 */
export function sendCall(url: string, agent: Agent, call: Call, timeoutMs = TIMEOUT_MS): Promise<Reply> {
  const { hostname, port } = new URL(url)
  const { method, path, body } = call
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const headers = { ...call.headers, ...length }
  const started = performance.now()
  return new Promise((resolve, reject) => {
    let hasBegun = false
    const fail = (code: string) => reject(new NoReply(code, { isOnUsedConnection: outgoing.reusedSocket, hasBegun }))
    const outgoing = request({ hostname, port, agent, method, path, headers }, (incoming) => {
      hasBegun = true
      incoming.toArray().then(
        (parts) => {
          const text = Buffer.concat(parts).toString()
          const ms = performance.now() - started
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text, ms })
        },
        (error: NodeJS.ErrnoException) => fail(error.code ?? String(error)),
      )
    })
    const timer = setTimeout(() => {
      fail('timeout')
      outgoing.destroy()
    }, timeoutMs)
    outgoing.on('close', () => clearTimeout(timer))
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? String(error)))
    outgoing.end(body)
  })
}
