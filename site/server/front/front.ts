import { Readable } from 'node:stream'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify, { LogController } from 'fastify'
import type { Config } from '#db/config/config.ts'
import { UserError } from '#db/values/errors.ts'
import { calls } from '#site/calls.ts'
import { admitUpload } from '#site/server/access/access.ts'
import { isFromThisComputer, networkOf, refusal, repairedAddress } from '#site/server/access/guard.ts'
import { MODE_CACHE_MS, type Mode, type PublicUrl } from '#site/server/access/site-state.ts'
import { keepPages, sendPage } from '#site/server/kept-pages/kept-pages.ts'
import { chooseLanguage } from '#site/server/language.ts'
import { log } from '#site/server/log.ts'
import { serveWithAstro } from './astro.ts'
import { replyToBrokenRequest, sendError, untilBodyIsDiscarded } from './front-error.ts'
import { serveBuiltFiles } from './static-files.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The matched route, for the log: the pattern, never the requested address. */
    routePattern: string
  }
}

type Received = { Body: Buffer | null | undefined }
const BODY_MAXIMUM = 64 * 1024
const HEADERS_MAXIMUM = 8 * 1024
/**
 * The connection closes after this many requests. Node starts all pipelined requests at once and keeps their replies in
 * memory until they are read; browsers and proxies do not pipeline, and reconnect.
 */
const REQUESTS_PER_CONNECTION = 100
/** A phone on a bad connection needs far less for an RSVP. More would only help clients that hold connections open. */
const REQUEST_TIMEOUT_MS = 10_000
/** Proxies reuse a connection that was idle for a minute, and a request is lost if we close it just then. */
const PROXY_KEEP_ALIVE_TIMEOUT_MS = 75_000
/** After this long without a byte, the connection closes. A busy database delays a reply for less. */
const IDLE_TIMEOUT_MS = 30_000
/** 128 KB, about the length of a page. With the default, each reader of a long list would take up 8 MB of memory. */
const BROTLI_WINDOW_BITS = 17
/** Content types to compress beside those that the plugin knows, e.g. calendars. */
const COMPRESSIBLE = /^text\/|[+/](json|xml|text)(;|$)/
/** An address that the guard refuses, in place of one that cannot be decoded. */
const ODD_ADDRESS = '/%25'
/** The codes of the guard for an address that no page can have. */
const UNUSABLE = /^(invalid|address-too-long)$/
const YEAR_S = 365 * 24 * 60 * 60

/**
 * The server in front of Astro: limits, headers, compression, static files, a log without personal data.
 * @param changes returns another value after every write; undefined while unknown.
 */
export async function createFront(
  config: Config,
  mode: Mode,
  publicUrl: PublicUrl,
  changes: () => string | undefined,
): Promise<FastifyInstance> {
  const front = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAXIMUM,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.trustedProxies.length > 0 ? PROXY_KEEP_ALIVE_TIMEOUT_MS : REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    maxRequestsPerSocket: REQUESTS_PER_CONNECTION,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Without trusted proxies, forwarding headers are claims of the client.
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    http: {
      maxHeaderSize: HEADERS_MAXIMUM,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      // The guard refuses a missing Host with a sentence.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => replyToBrokenRequest(error, socket, securityHeaders(publicUrl)),
    // For an address that cannot be decoded, Fastify would run no hooks.
    rewriteUrl: ({ url = '' }) => (isDecodable(url) ? url : ODD_ADDRESS),
  })
  front.decorateRequest('routePattern', 'static')
  front.addHook('onRequest', async (request, reply) => {
    const { raw, headers } = request
    // First, so that error replies carry them too.
    await publicUrl.refresh()
    reply.headers(securityHeaders(publicUrl))
    if (publicUrl.takeProbe(headers)) return reply.code(204).send()
    const onlyThisComputer = !config.openToNetwork && (await mode.isOpen(MODE_CACHE_MS))
    const rules = { onlyThisComputer, publicUrl: publicUrl.current() }
    const isPage = raw.method === 'GET' || raw.method === 'HEAD'
    const repaired = isPage ? repairedAddress(request.originalUrl) : undefined
    raw.url = repaired ?? raw.url
    let reason = refusal(raw, rules)
    if (isPage && reason && UNUSABLE.test(reason.code) && headers.accept?.includes('text/html')) {
      // Browsers get the 404 page instead of JSON.
      raw.url = '/404'
      reason = refusal(raw, rules)
    }
    if (reason !== undefined) {
      request.routePattern = 'refused'
      throw reason
    }
    if (repaired !== undefined) {
      request.routePattern = 'redirected'
      // The query may have the key of a private link.
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      return reply.redirect(repaired, 301)
    }
    if (headers['content-encoding'] !== undefined) {
      throw new UserError('unsupported-media-type', 'Send the body as it is, without Content-Encoding.')
    }
  })
  front.addHook('onResponse', async (request, reply) => {
    const { method, routePattern } = request
    const { statusCode: status, elapsedTime: ms } = reply
    log.info({ method, route: routePattern, status, ms: Math.round(ms) }, 'served')
  })
  front.setErrorHandler((error: FastifyError, request, reply) => sendError(error, reply, request.routePattern))
  front.addHook<unknown>('onSend', async ({ raw, headers }, reply, content) => {
    if (raw.complete || raw.destroyed || !(typeof content === 'string' || Buffer.isBuffer(content))) return content
    // A compressed reply would only be sent when the body has arrived.
    headers['x-no-compression'] = 'true'
    reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(content) })
    return Readable.from(untilBodyIsDiscarded(content, raw))
  })
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
  await front.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    customTypes: COMPRESSIBLE,
    brotliOptions: { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS } },
  })
  const sendFile = await serveBuiltFiles(front)

  // Every body is read whole here, so that the limit holds for all; endpoints parse it.
  front.removeAllContentTypeParsers()
  front.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const sendsMail = config.mail !== undefined
  const findPage = keepPages({ mode, headers: () => securityHeaders(publicUrl), sendsMail }, changes)

  // Not Fastify's `host`, which trusts a forwarded header that the proxy may pass on unchecked.
  const originOf = ({ headers }: Pick<FastifyRequest, 'headers'>) => publicUrl.current() ?? `http://${headers.host}`

  async function serve(request: FastifyRequest<Received>, reply: FastifyReply) {
    const { raw, ip, socket, headers } = request
    const origin = originOf(request)
    const language = chooseLanguage(raw.url ?? '', headers)
    const kept = findPage(raw, { origin, language })
    if (kept !== undefined) {
      // Kept pages have no parameters: the address is the pattern.
      request.routePattern = raw.url ?? ''
      return sendPage(await kept, request, reply)
    }
    const isHere = () => isFromThisComputer(raw, publicUrl.current())
    const caller = { network: networkOf(ip, socket.remoteAddress), isHere, origin, language }
    const settings = { allowance: config.postLimit, sendsMail }
    return serveWithAstro(request, reply, { ...caller, ...settings, mode, publicUrl, reply: reply.raw })
  }
  front.all<Received>('*', (request, reply) => sendFile(request, reply) ?? serve(request, reply))
  acceptPicture(front, (request) => admitUpload(request.headers.cookie, originOf(request), mode), serve)
  // A method that Fastify does not route, e.g. PROPFIND, or a static file that is gone.
  front.setNotFoundHandler(serve)
  return front
}

function isDecodable(address: string): boolean {
  try {
    return decodeURI(address.split('?', 1)[0] ?? '') !== ''
  } catch {
    return false
  }
}

/**
 * The headers of every reply, including those sent before Fastify has a request, where no plugin could add them. Pages set
 * their own content security policy with hashes; everything else may load nothing.
 */
function securityHeaders(publicUrl: PublicUrl): Record<string, string> {
  return publicUrl.current()?.startsWith('https:') ? headersOverHttps : headers
}

const headers = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}
const headersOverHttps = { ...headers, 'strict-transport-security': `max-age=${YEAR_S}` }

/**
 * The picture of the church has a larger body: one is received at a time, because preparing it takes up to 230 MB.
 * @param admit is called before the body is read.
 */
function acceptPicture(
  front: FastifyInstance,
  admit: (request: FastifyRequest) => Promise<void>,
  handler: (request: FastifyRequest<Received>, reply: FastifyReply) => unknown,
): void {
  let isTaken = false
  async function onRequest(request: FastifyRequest<Received>, reply: FastifyReply): Promise<void> {
    await admit(request)
    if (isTaken) throw new UserError('overloaded', 'Another picture is being sent just now. Send it again in a minute.')
    isTaken = true
    reply.raw.once('close', () => {
      isTaken = false
    })
  }
  const bodyLimit = calls['PUT /api/church/picture'].upload.maximum
  front.route<Received>({ method: 'PUT', url: '/api/church/picture', bodyLimit, handler, onRequest })
}
