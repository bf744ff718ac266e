import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding } from './shared-body.ts'
import type { SharedPage } from './shared-page.ts'

const ENCODINGS: Encoding[] = ['br', 'gzip']

/** Sends a page to one visitor. */
export async function sendPage(
  page: SharedPage,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isKnown(headers['if-none-match'], page.tag)) return write(reply, 304, page.headers, [])
  // The page says so where it is large enough.
  const encoding = page.headers.vary === undefined ? 'identity' : encodingFor(headers)
  const made = page.body.endingWith(page.endForVisitor(), encoding)
  const body = Array.isArray(made) ? made : await made
  const length = String(body.reduce((sum, piece) => sum + piece.length, 0))
  const encoded = encoding !== 'identity' && { 'content-encoding': encoding }
  return write(reply, page.status, { ...page.headers, ...encoded, 'content-length': length }, body)
}

/** Past Fastify, which would copy the body into one piece and look at it once more: that halves the pages a second. */
function write(reply: FastifyReply, status: number, headers: Record<string, string>, body: Buffer[]): FastifyReply {
  const { raw } = reply.hijack()
  raw.writeHead(status, reply.server.isStopping ? { ...headers, connection: 'close' } : headers)
  for (const piece of body) raw.write(piece)
  raw.end()
  return reply
}

function encodingFor(headers: FastifyRequest['headers']): Encoding {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || headers['x-no-compression'] !== undefined) return 'identity'
  // As @fastify/compress reads it, which compresses all other replies.
  return negotiate(accepted.toLowerCase().replaceAll(/\*|x-gzip/g, 'gzip'), ENCODINGS) ?? 'identity'
}

/** Whether the client has a page with this weak tag (RFC 9110, section 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, tag: string | undefined): boolean {
  if (ifNoneMatch === undefined || tag === undefined) return false
  const tags = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(tag.replace(/^W\//, ''))
}
