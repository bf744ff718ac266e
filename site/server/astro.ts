import { Readable } from 'node:stream'
import { createApp } from 'astro/app/entrypoint'
import type { FastifyReply, FastifyRequest } from 'fastify'

const app = createApp({ streaming: false })

/** What the front server tells every page and endpoint. */
export type SiteLocals = Pick<App.Locals, 'administrator' | 'open' | 'origin'>

/** Answers a request with Astro. The body has been read and measured; the answer goes through Fastify's hooks. */
export async function answerWithAstro(
  request: FastifyRequest<{ Body: Buffer | null | undefined }>,
  reply: FastifyReply,
  locals: SiteLocals,
): Promise<FastifyReply> {
  const asked = toWebRequest(request)
  const routeData = app.match(asked, true)
  request.routePattern = routeData?.route ?? '404'
  const answer = await app.render(asked, { locals, clientAddress: request.ip, ...(routeData && { routeData }) })
  reply.code(answer.status)
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') reply.header(name, value)
  }
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
  return reply.send(await bodyOf(answer))
}

function toWebRequest({
  method,
  url,
  headers,
  host,
  body,
}: FastifyRequest<{ Body: Buffer | null | undefined }>): Request {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) copied.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const sent = method === 'GET' || method === 'HEAD' ? undefined : body
  return new Request(`http://${host}${url}`, { method, headers: copied, body: sent ? new Uint8Array(sent) : null })
}

/** Whole answers as bytes, so that they carry a length; only what is streamed on purpose stays a stream. */
async function bodyOf(answer: Response): Promise<Buffer | Readable | undefined> {
  if (answer.body === null) return undefined
  if (answer.headers.has('content-length') || answer.headers.get('content-type')?.startsWith('text/html')) {
    return Buffer.from(await answer.arrayBuffer())
  }
  return Readable.from(answer.body)
}
