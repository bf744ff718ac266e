import { Readable } from 'node:stream'
import { createApp } from 'astro/app/entrypoint'
import type { FastifyReply, FastifyRequest } from 'fastify'

const app = createApp({ streaming: false })
// It would print errors with their messages, which can quote what somebody typed. Ours go through site/server/log.ts.
app.manifest.logLevel = 'silent'

/** Astro's own endpoints, and the pages that only stand in for others: nobody is meant to ask for them. */
const INTERNAL_ROUTE = /^\/(_|500$|sign-in$)/

/** What the front server tells every page and endpoint. */
export type SiteLocals = Pick<App.Locals, 'mode' | 'network' | 'allowance' | 'origin' | 'reply'>

/** Answers a request with Astro. The body has been read and measured; the answer goes through Fastify's hooks. */
export async function answerWithAstro(
  request: FastifyRequest<{ Body: Buffer | null | undefined }>,
  reply: FastifyReply,
  locals: SiteLocals,
): Promise<FastifyReply> {
  const sought = toWebRequest(request, request.url)
  const found = app.match(sought, true)
  const asked = INTERNAL_ROUTE.test(found?.route ?? '') ? toWebRequest(request, '/404') : sought
  const routeData = asked === sought ? found : app.match(asked, true)
  request.routePattern = routeData?.route ?? '404'
  const answer = await app.render(asked, { locals, addCookieHeader: true, ...(routeData && { routeData }) })
  reply.code(answer.status)
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') reply.header(name, value)
  }
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
  return reply.send(await bodyOf(answer))
}

function toWebRequest(
  { method: given, headers, body }: FastifyRequest<{ Body: Buffer | null | undefined }>,
  address: string,
): Request {
  // The web's Request refuses TRACE. OPTIONS gets the answer that TRACE should have: 405 with what is allowed.
  const method = given === 'TRACE' ? 'OPTIONS' : given
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) copied.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const sent = method === 'GET' || method === 'HEAD' ? undefined : body
  return new Request(`http://${headers.host}${address}`, {
    method,
    headers: copied,
    body: sent ? new Uint8Array(sent) : null,
  })
}

/** Whole answers as bytes, so that they carry a length; only what is streamed on purpose stays a stream. */
async function bodyOf(answer: Response): Promise<Buffer | Readable | undefined> {
  if (answer.body === null) return undefined
  const type = answer.headers.get('content-type') ?? ''
  if (answer.headers.has('content-length') || /^(text\/html|application\/problem\+json)/.test(type)) {
    return Buffer.from(await answer.arrayBuffer())
  }
  return Readable.from(answer.body)
}
