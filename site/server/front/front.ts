import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import { refusal } from '#site/server/access/guard.ts'
import type { Mode } from '#site/server/access/mode.ts'
import { log } from '#site/server/log.ts'
import { answerWithAstro } from './astro.ts'
import { discardBody } from './discard-body.ts'
import { answerBrokenRequest, sendError } from './front-error.ts'
import { networkOf } from './network.ts'
import { limitPipelining } from './pipelining.ts'
import { securityHeaders } from './security-headers.ts'
import { serveBuiltFiles } from './static-files.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Which route answered, for the log: the pattern, never the address that was asked. */
    routePattern: string
  }
}

const BODY_MAXIMUM = 64 * 1024
const HEADERS_MAXIMUM = 8 * 1024
/** A phone on a bad line sends its answer well within this; a client that drips bytes does not get more, in ms. */
const REQUEST_TIMEOUT = 10_000
/** A proxy uses a connection again that was idle for a minute, and gets no answer if it is closed in that moment, in ms. */
const KEPT_FOR_PROXIES = 75_000
/** Who neither reads nor writes for this long is gone, in ms: longer than a busy database keeps anybody waiting. */
const SILENCE_TIMEOUT = 30_000
/** As far back as a page is long. By default it is 4 MB, which each reader of a long list would keep in memory twice. */
const BROTLI_WINDOW_BITS = 17
/** In ms; what depends on the mode asks once more. */
const MODE_BELIEVED_FOR = 1000

/** The server in front of Astro: limits, headers, compression, static files, a log without personal data. */
export async function createFront(config: Config, mode: Mode): Promise<FastifyInstance> {
  const headersOfAll = securityHeaders(config)
  const front = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAXIMUM,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: config.trustedProxies.length > 0 ? KEPT_FOR_PROXIES : REQUEST_TIMEOUT,
    connectionTimeout: SILENCE_TIMEOUT,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Without any, what a request says of its way here is nothing but its word.
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    http: {
      maxHeaderSize: HEADERS_MAXIMUM,
      headersTimeout: REQUEST_TIMEOUT,
      connectionsCheckingInterval: 1000,
      // The guard asks for a Host, in a sentence.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, headersOfAll),
    // An address that cannot be decoded finds no route, and so none of the hooks.
    frameworkErrors: (error, _request, reply) => sendError(error, reply.headers(headersOfAll), 'front'),
  })
  // Node's own answer to an Expect that it does not know would go past every hook.
  front.server.on('checkExpectation', (request, answer) => front.server.emit('request', request, answer))
  limitPipelining(front)
  front.decorateRequest('routePattern', 'static')
  front.addHook('onRequest', async ({ raw, headers }, reply) => {
    // First, so that refusals carry them too.
    reply.headers(headersOfAll)
    const onlyThisComputer = !config.openToNetwork && (await mode.isOpen(MODE_BELIEVED_FOR))
    const reason = refusal(raw, { onlyThisComputer, publicUrl: config.publicUrl })
    if (reason !== undefined) throw reason
    if (headers['content-encoding'] !== undefined) {
      throw new UserError('unsupported-media-type', 'Send the body as it is, without Content-Encoding.')
    }
  })
  front.addHook('onResponse', async (request, reply) => {
    const { method, routePattern } = request
    log.info({ method, route: routePattern, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
  })
  front.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (error.statusCode === 413) await discardBody(request.raw)
    return sendError(error, reply, request.routePattern)
  })
  await front.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS },
    },
  })
  await serveBuiltFiles(front)

  // Every body is read whole here, so that the limit holds for all of them; the endpoints decide what it means.
  front.removeAllContentTypeParsers()
  front.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  function answer(request: FastifyRequest<{ Body: Buffer | null | undefined }>, reply: FastifyReply) {
    const { ip, socket, headers } = request
    return answerWithAstro(request, reply, {
      mode,
      network: networkOf(ip, socket.remoteAddress),
      allowance: config.postLimit,
      // Not Fastify's, which believes a proxy that passes on what a stranger made up.
      origin: config.publicUrl ?? `http://${headers.host}`,
      reply: reply.raw,
    })
  }
  front.all('*', answer)
  // A method that Fastify does not route, as PROPFIND, and a static file that is gone.
  front.setNotFoundHandler(answer)
  return front
}
