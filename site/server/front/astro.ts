import { Readable } from 'node:stream'
import { createApp } from 'astro/app/entrypoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inLanguage } from '#site/server/language.ts'

const app = createApp({ streaming: false })
// Astro would print error messages, which can quote visitors' input. site/server/log.ts logs errors without them.
app.manifest.logLevel = 'silent'

/** Astro's own endpoints, and pages that are only rendered in place of others. A direct request for them gets a 404. */
const INTERNAL_ROUTE = /^\/(_|500$|sign-in$)/

/** What the front server passes to every page and endpoint; the middleware adds the rest. */
type SiteLocals = Omit<App.Locals, 'route' | 'call' | 'open'>

/** Serves a request with Astro, after Fastify has read its body within the limit. The reply passes Fastify's hooks. */
export async function serveWithAstro(
  request: FastifyRequest<{ Body: Buffer | null | undefined }>,
  reply: FastifyReply,
  locals: SiteLocals,
): Promise<FastifyReply> {
  const requested = toWebRequest(request, request.url)
  const found = app.match(requested, true)
  const rendered = INTERNAL_ROUTE.test(found?.route ?? '') ? toWebRequest(request, '/404') : requested
  const routeData = rendered === requested ? found : app.match(rendered, true)
  request.routePattern = routeData?.route ?? '404'
  const response = await inLanguage(locals.language, () =>
    app.render(rendered, { locals, addCookieHeader: true, ...(routeData && { routeData }) }),
  )
  reply.code(response.status)
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') reply.header(name, value)
  }
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  if (response.body === null) return reply.send()
  // All other replies are sent whole, so that they carry a length.
  return reply.send(locals.isStreamed ? Readable.from(response.body) : Buffer.from(await response.arrayBuffer()))
}

/** Renders a page without a request of a visitor, to keep it in memory. */
export function renderAddress(
  address: URL,
  locals: Omit<SiteLocals, 'publicUrl' | 'reply'> & Required<Pick<App.Locals, 'hasTurn'>>,
): Promise<Response> {
  return inLanguage(locals.language, () => app.render(new Request(address), { locals, addCookieHeader: true }))
}

function toWebRequest(
  { method: received, headers, body }: FastifyRequest<{ Body: Buffer | null | undefined }>,
  address: string,
): Request {
  // `new Request` throws for TRACE. OPTIONS gets the reply that TRACE should get: 405 with the allowed methods.
  const method = received === 'TRACE' ? 'OPTIONS' : received
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
