import { join } from 'node:path'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import staticFiles from '@fastify/static'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { type Config, projectRoot } from '#db/config.ts'
import { UserError } from '#db/errors.ts'
import { answerWithAstro } from './astro.ts'
import { refusal } from './guard.ts'
import { log, logBug } from './log.ts'
import { problemOf } from './problem.ts'

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
const YEAR_S = 365 * 24 * 60 * 60

/** The server in front of Astro: limits, headers, compression, static files, a log without personal data. */
export async function createFront(config: Config): Promise<FastifyInstance> {
  const front = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAXIMUM,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: REQUEST_TIMEOUT,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { maxHeaderSize: HEADERS_MAXIMUM, headersTimeout: REQUEST_TIMEOUT, connectionsCheckingInterval: 1000 },
    frameworkErrors: (error, _request, reply) => sendError(error, reply, 'front'),
  })
  const onlyThisComputer = !config.openToNetwork

  front.decorateRequest('routePattern', 'static')
  front.addHook('onRequest', async ({ raw }) => {
    const reason = refusal(raw, { onlyThisComputer, publicUrl: config.publicUrl })
    if (reason !== undefined) throw reason
  })
  front.addHook('onResponse', async (request, reply) => {
    const { method, routePattern } = request
    log.info({ method, route: routePattern, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
  })
  front.setErrorHandler((error: FastifyError, request, reply) => sendError(error, reply, request.routePattern))
  await front.register(helmet, securityHeaders(config))
  await front.register(compress, {
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  await front.register(staticFiles, {
    root: join(projectRoot, 'dist/client'),
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => reply.header('cache-control', cacheRule(path)),
  })

  // Every body is read whole here, so that the limit holds for all of them; the endpoints decide what it means.
  front.removeAllContentTypeParsers()
  front.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  front.all<{ Body: Buffer | null | undefined }>('*', (request, reply) => {
    if (request.headers['content-encoding'] !== undefined) {
      throw new UserError('unsupported-media-type', 'Send the body as it is, without Content-Encoding.')
    }
    const origin = config.publicUrl ?? `http://${request.host}`
    return answerWithAstro(request, reply, { open: true, administrator: true, origin })
  })
  return front
}

function securityHeaders(config: Config) {
  return {
    // Pages bring their own policy with hashes; everything else needs nothing at all.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    referrerPolicy: { policy: 'same-origin' as const },
    xFrameOptions: { action: 'deny' as const },
    strictTransportSecurity: config.publicUrl?.startsWith('https:') === true && { maxAge: YEAR_S },
  }
}

/** A hashed name never changes its content. */
function cacheRule(path: string): string {
  return path.includes('/client/assets/') ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=3600'
}

function sendError(error: FastifyError | UserError, reply: FastifyReply, route: string): FastifyReply {
  const explained = error instanceof UserError ? error : explainFrontError(error)
  if (explained.code === 'unexpected') logBug(error, route)
  const { status, headers, body } = problemOf(explained)
  return reply.code(status).headers(headers).send(JSON.stringify(body))
}

function explainFrontError({ statusCode = 500 }: FastifyError): UserError {
  if (statusCode === 413) return new UserError('too-large', 'This is too large. Send at most 64 KB.')
  if (statusCode === 408) return new UserError('too-slow', 'The request took too long to arrive. Send it again.')
  if (statusCode === 404) return new UserError('not-found', 'There is nothing at this address. Check the link.')
  if (statusCode < 500) return new UserError('invalid', 'The request could not be understood. Send it again.')
  return new UserError('unexpected', 'Something went wrong on the server. Try again in a moment.')
}
