import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyError, FastifyReply } from 'fastify'
import { UserError } from '#db/values/errors.ts'
import { logBug } from '#site/server/log.ts'
import { type Problem, problemOf, unexpected } from '#site/server/problem.ts'

const MALFORMED = 'The request could not be understood. Send it again.'
const TOO_SLOW = 'The request took too long to arrive. Send it again.'

/** By Node's error code. Any other code means that what arrived is not HTTP. */
const connectionErrors: Record<string, { status: number; detail: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: TOO_SLOW },
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are too large. Send at most 8 KB of them.' },
}

/** Shorter than the timeout of a request, after which a second reply would be sent. */
const DISCARD_TIMEOUT_MS = 8000

/** Sends an error as a problem document. A bug is logged and becomes a bare 500. */
export function sendError(error: FastifyError | UserError, reply: FastifyReply, route: string): FastifyReply {
  const explained = explainFrontError(error, reply.request.routeOptions.bodyLimit)
  if (explained.code === 'unexpected') logBug(error, route)
  const { status, headers, body } = problemOf(explained)
  // The reply that failed may have been compressed already.
  return reply.removeHeader('content-encoding').code(status).headers(headers).send(JSON.stringify(body))
}

/** Replies on the socket itself to what is no valid request, or arrived too slowly: Fastify has no reply for it. */
export function replyToBrokenRequest(
  error: Error & { code?: string },
  socket: Duplex,
  securityHeaders: Record<string, string>,
): void {
  if (!socket.writable) return void socket.destroy()
  const { status, detail } = connectionErrors[error.code ?? ''] ?? { status: 400, detail: MALFORMED }
  const title = STATUS_CODES[status] ?? 'Error'
  const content = JSON.stringify({ title, status, detail } satisfies Problem)
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': content.length,
    'cache-control': 'no-store',
    connection: 'close',
    ...securityHeaders,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${content}`, () => socket.destroy())
}

/**
 * The reply to a request whose body is still arriving. It is sent at once, and ends when the rest of the body has been
 * read and discarded: if the server closed the connection before, the client would lose the reply.
 */
export async function* untilBodyIsDiscarded(content: string | Buffer, request: IncomingMessage) {
  yield content
  const ended = new AbortController()
  const end = () => ended.abort()
  request.once('end', end).once('close', end).resume()
  await delay(DISCARD_TIMEOUT_MS, undefined, { signal: ended.signal, ref: false }).catch(() => {})
}

function explainFrontError(error: FastifyError | UserError, bodyMaximum: number): UserError {
  if (error instanceof UserError) return error
  const { statusCode = 500 } = error
  if (statusCode === 413) return new UserError('too-large', `This is too large. Send at most ${sizeText(bodyMaximum)}.`)
  if (statusCode === 408) return new UserError('too-slow', TOO_SLOW)
  if (statusCode === 404) return new UserError('not-found', 'There is nothing at this address. Check the link.')
  if (statusCode < 500) return new UserError('invalid', MALFORMED)
  return unexpected()
}

/** E.g. `64 KB` or `15 MB`. */
function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024
  return kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`
}
