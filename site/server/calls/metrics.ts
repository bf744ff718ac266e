import type { IncomingMessage } from 'node:http'
import type { Config } from '#db/config/config.ts'
import { fileOf, readProgramVersion } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { countActivity } from '#db/health/operations.ts'
import { outcomes } from '#db/rsvp/submit/outcomes.ts'
import { openMetricsAccess } from '#site/server/access/metrics-access.ts'
import type { Mode } from '#site/server/access/mode.ts'
import { cachedReading } from '#site/server/metrics/cached-reading.ts'
import type { RequestCounts } from '#site/server/metrics/request-counts.ts'
import { problemOf } from '#site/server/problem.ts'
import type { CallReply } from './json-call.ts'

const ROUTE = '/metrics'
/** Milliseconds. However often they are asked for, they are made once in this time. */
const TTL_MS = 1000
/** Longer than everything that they are made of waits for. */
const TIMEOUT_MS = 5000

/**
 * The call of whoever watches the site, for the front server: pages may wait for their turn, metrics may not. Whoever may
 * not read them falls through to Astro, which has no such page: it is a 404 like any other.
 */
export function metricsCall(
  config: Config,
  token: string | undefined,
  counted: { mode: Mode; requests: RequestCounts },
) {
  const isAllowed = openMetricsAccess(token, config.publicUrl)
  const render = cachedReading(createRenderer(config, counted), { ttlMs: TTL_MS, timeoutMs: TIMEOUT_MS })
  return {
    route: ROUTE,
    isAskedBy: (request: IncomingMessage) => isForMetrics(request) && isAllowed(request),
    reply: async () => metricsReply(await render()),
  }
}

/** Loads what it needs when it is first asked: most sites are watched by no one. */
function createRenderer(config: Config, { mode, requests }: { mode: Mode; requests: RequestCounts }) {
  const version = readProgramVersion()
  const database = fileOf(config.databaseUrl) === undefined ? ('server' as const) : ('file' as const)
  const readActivity = countActivity()
  let loading: ReturnType<typeof load> | undefined

  async function load() {
    const [{ openReadings }, { openRegistry }] = await Promise.all([
      import('#site/server/metrics/readings.ts'),
      import('#site/server/metrics/registry.ts'),
    ])
    return { read: openReadings(config), write: await openRegistry() }
  }

  return async () => {
    loading ??= load()
    const { read, write } = await loading
    const readings = await read()
    const isGuarded = mode.isKnownGuarded()
    const now = Date.now()
    return write({ ...readings, version, database, isGuarded, now, requests, activity: readActivity(), outcomes })
  }
}

function isForMetrics({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && url.split('?', 1)[0] === ROUTE
}

function metricsReply(rendered: { type: string; text: string } | undefined): CallReply {
  if (rendered === undefined) {
    const error = new UserError('overloaded', 'The metrics could not be read in time. Try again in a few seconds.')
    return reply(problemOf(error))
  }
  const headers = { 'content-type': rendered.type, 'cache-control': 'no-store' }
  return { status: 200, headers, body: Buffer.from(rendered.text) }
}

function reply({ body, ...head }: ReturnType<typeof problemOf>): CallReply {
  return { ...head, body: Buffer.from(JSON.stringify(body)) }
}
