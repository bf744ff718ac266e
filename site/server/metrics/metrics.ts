import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '#db/config/config.ts'
import { fileOf, readProgramVersion } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { watchActivity } from '#db/health/operations.ts'
import { deliveries } from '#db/mail/operations.ts'
import { outcomes } from '#db/rsvp/submit.ts'
import { type Connected, isFromHere } from '#site/server/access/guard.ts'
import { cached, openReadings } from './readings.ts'

/** Node accepts more methods: those count as `other`, because clients must not create labels. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
/** Upper bounds in seconds: from a page in memory to a wait for the database. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Sampling interval in ms. An idle process reports this lag: each sample is the full delay of such a timer. */
const LAG_SAMPLED_EVERY_MS = 10
/** The metrics are rendered at most once in this time. */
const TTL_MS = 1000
/** Longer than the timeouts of all readings. */
const TIMEOUT_MS = 5000

export type Metrics = ReturnType<typeof openMetrics>

/**
 * Starts counting, and serves the metrics in the format of Prometheus. Callers without access fall through to Astro,
 * which has no such page and replies 404.
 * @param token opens the metrics to other machines.
 */
export function openMetrics(config: Config, token: string | undefined, isGuarded: () => boolean) {
  const { registry, requests, durations, openRequests } = registerMetrics(config, isGuarded)
  const isAllowed = openMetricsAccess(token, config.publicUrl)
  let isWatched = false

  async function render(): Promise<string> {
    if (!isWatched) {
      isWatched = true
      // The metrics of the process, only once anyone reads them. Before its first samples the lag is not a number.
      collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS })
      await delay(5 * LAG_SAMPLED_EVERY_MS)
    }
    return registry.metrics()
  }
  const rendered = cached(render, TTL_MS, TIMEOUT_MS)

  return {
    route: '/metrics',
    openRequests,
    isAskedBy(request: IncomingMessage): boolean {
      const { method, url = '' } = request
      return (method === 'GET' || method === 'HEAD') && /^\/metrics($|\?)/.test(url) && isAllowed(request)
    },
    async reply(): Promise<{ headers: Record<string, string>; body: string }> {
      const body = await rendered()
      if (body !== undefined)
        return { headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' }, body }
      throw new UserError('overloaded', 'The metrics could not be read in time. Try again in a few seconds.')
    },
    /** @param route its pattern, never an address: labels have few values, and none that a client chooses. */
    countReply({ method, route, status, ms }: { method: string; route: string; status: number; ms: number }): void {
      const known = METHODS.includes(method) ? method : 'other'
      requests.inc({ route, method: known, status: `${Math.floor(status / 100)}xx` })
      durations.observe({ route }, ms / 1000)
    },
  }
}

/**
 * Metrics may be read with the token, or from this computer by the rules of open mode, which exclude a proxy on it.
 * Other callers do not even learn that metrics or a token exist.
 * @internal Exported for its test.
 * @param token from the settings; without one, no token is accepted.
 */
export function openMetricsAccess(token: string | undefined, publicUrl: string | undefined) {
  return (request: Connected): boolean => {
    const [, sent] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    // Hashes have equal lengths, so that the time reveals nothing about the token.
    if (token !== undefined && sent !== undefined) return timingSafeEqual(hashOf(sent), hashOf(token))
    return isFromHere(request, publicUrl)
  }
}

const meanings = {
  rsvp_build_info: 'Always 1; the version of the program is its label.',
  rsvp_guarded: '1 once there is an administrator, 0 in open mode.',
  rsvp_http_requests_total:
    'Replies by route pattern (static: a file; refused, redirected: before routing), method and status class.',
  rsvp_http_request_duration_seconds: 'Time from a request to its complete reply, by route.',
  rsvp_http_open_requests: 'Requests received that have no complete reply yet.',
  rsvp_rsvps_sent_total:
    'RSVPs that visitors sent, by result: stored (retries included), or the reason for refusal, e.g. invalid, too-many, full.',
  rsvp_responses: 'Stored responses, without deleted ones, by whether they attend.',
  rsvp_week_responses: "Of these, those for this week's service.",
  rsvp_week_expected_people: "People expected at this week's service.",
  rsvp_database_info: 'Always 1; the kind of the database is its label: file or server.',
  rsvp_database_readable:
    '1 while the database can be read, 0 while it fails or takes longer than a second. Metrics read from it are then left out.',
  rsvp_database_damaged: '1 once damage was found in the database: from then on nothing is stored.',
  rsvp_database_size_bytes: 'Size of the database if it is a file.',
  rsvp_database_waiting: "Reads and writes waiting in the database's queue.",
  rsvp_database_write_duration_seconds:
    'Time until a write was on the disk, including its wait in the queue and for locks.',
  rsvp_database_failed_writes_total: 'Writes that failed, by reason, e.g. full, busy, unavailable, damaged.',
  rsvp_database_retries_total:
    'Attempts that met the lock of another process, or got no reply from a libSQL server, and were repeated.',
  rsvp_backup_age_seconds: 'Age of the last good backup. Left out while there is none.',
  rsvp_disk_free_bytes: 'Free space on a disk, by what it holds: database or backups.',
  rsvp_disk_size_bytes: 'Size of that disk.',
  rsvp_mail_sent_total:
    'Attempts to send a message, by result: sent, delayed (tried again later), failed (refused for good), unknown (no reply after the message), dropped (nothing to say any more, or stopped).',
  rsvp_mail_waiting:
    'Messages still to be sent, those that are not due yet included. Left out without a mail server, as are the others.',
  rsvp_mail_failed: 'Messages given up in the last 30 days, or of which it is unknown whether they were sent.',
  rsvp_clock_doubtful: '1 while the clock is not trusted: nothing is purged by date then.',
}
type Name = keyof typeof meanings
type Value = number | undefined

/** `npm run docs` writes docs/metrics.md from it. */
export function registerMetrics(config: Config, isGuarded: () => boolean) {
  const registry = new Registry()
  const readings = openReadings(config)
  const activity = watchActivity((ms, error) => {
    if (error === undefined) writes.observe(ms / 1000)
    else failedWrites.inc({ reason: error instanceof UserError ? error.code : 'unexpected' })
  })
  const named = (name: Name) => ({ name, help: meanings[name], registers: [registry] })

  /** Read on each scrape, and left out if that fails. */
  function gauge(name: Name, read: () => Value | Promise<Value>): void {
    gaugeBy(name, undefined, async () => ({ '': await read() }))
  }

  /** The same for each value of a label. */
  function gaugeBy(name: Name, label: string | undefined, read: () => Promise<Record<string, Value>>): void {
    new Gauge({
      ...named(name),
      labelNames: label === undefined ? [] : [label],
      async collect() {
        this.reset()
        // A gauge without labels starts with a 0.
        if (label === undefined) this.remove()
        for (const [each, value] of Object.entries(await read())) {
          if (value !== undefined) this.set(label === undefined ? {} : { [label]: each }, value)
        }
      },
    })
  }

  gaugeBy('rsvp_build_info', 'version', async () => ({ [readProgramVersion()]: 1 }))
  gauge('rsvp_guarded', () => Number(isGuarded()))
  const requests = new Counter({ ...named('rsvp_http_requests_total'), labelNames: ['route', 'method', 'status'] })
  const durations = new Histogram({ ...named('rsvp_http_request_duration_seconds'), labelNames: ['route'], buckets })
  const openRequests = new Gauge(named('rsvp_http_open_requests'))
  new Counter({
    ...named('rsvp_rsvps_sent_total'),
    labelNames: ['result'],
    collect() {
      this.reset()
      for (const result of ['stored', 'invalid', 'too-many']) this.inc({ result }, 0)
      for (const [result, count] of outcomes) this.inc({ result }, count)
    },
  })
  gaugeBy('rsvp_responses', 'attending', async () => byAttendance(await readings.responses()))
  gaugeBy('rsvp_week_responses', 'attending', async () => byAttendance((await readings.week())?.responses))
  gauge('rsvp_week_expected_people', async () => (await readings.week())?.people.expected)
  const kind = fileOf(config.databaseUrl) === undefined ? 'server' : 'file'
  gaugeBy('rsvp_database_info', 'kind', async () => ({ [kind]: 1 }))
  gauge('rsvp_database_readable', async () => Number((await readings.isReadable()) === true))
  gauge('rsvp_database_damaged', () => Number(activity().isDamaged))
  gauge('rsvp_database_size_bytes', readings.databaseSize)
  gauge('rsvp_database_waiting', () => activity().waiting)
  const writes = new Histogram({ ...named('rsvp_database_write_duration_seconds'), buckets })
  const failedWrites = new Counter({ ...named('rsvp_database_failed_writes_total'), labelNames: ['reason'] })
  // Prometheus sees an increase only from a value that it has read before.
  for (const reason of ['full', 'busy', 'unavailable', 'damaged']) failedWrites.inc({ reason }, 0)
  new Counter({
    ...named('rsvp_database_retries_total'),
    collect() {
      this.reset()
      this.inc(activity().retries)
    },
  })
  gauge('rsvp_backup_age_seconds', async () => ageOf(await readings.backupAt()))
  for (const [name, part] of [['rsvp_disk_free_bytes', 'free'] as const, ['rsvp_disk_size_bytes', 'size'] as const]) {
    gaugeBy(name, 'holds', async () => ({
      database: (await readings.databaseDisk())?.[part],
      backups: (await readings.backupsDisk())?.[part],
    }))
  }
  new Counter({
    ...named('rsvp_mail_sent_total'),
    labelNames: ['result'],
    collect() {
      this.reset()
      for (const result of config.mail ? ['sent', 'delayed', 'failed', 'unknown', 'dropped'] : [])
        this.inc({ result }, deliveries.get(result) ?? 0)
    },
  })
  gauge('rsvp_mail_waiting', async () => (await readings.mail())?.waiting)
  gauge('rsvp_mail_failed', async () => (await readings.mail())?.failed)
  gauge('rsvp_clock_doubtful', readings.clockDoubtful)
  return { registry, requests, durations, openRequests }
}

function byAttendance(counts: { attending: number; notAttending: number } | undefined): Record<string, Value> {
  return { yes: counts?.attending, no: counts?.notAttending }
}

/** In seconds. */
function ageOf(at: string | undefined): Value {
  return at === undefined ? undefined : Math.max(0, Date.now() - Date.parse(at)) / 1000
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
