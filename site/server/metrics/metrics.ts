import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '#db/config/config.ts'
import { fileOf, readProgramVersion } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { watchActivity } from '#db/health/operations.ts'
import { outcomes } from '#db/rsvp/submit.ts'
import { problemOf } from '#site/server/problem.ts'
import { openMetricsAccess } from './access.ts'
import { cached, openReadings } from './readings.ts'

/** Node reads more methods, and clients may choose: what is not here is counted as `other`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
/** Upper bounds in seconds: from a page in memory to a database that is waited for. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Milliseconds, and the lag of a process that has nothing to do: each sample is how late a timer of so many came round. */
const LAG_SAMPLED_EVERY_MS = 10
/** Milliseconds. However often they are asked for, the metrics are made once in this time. */
const TTL_MS = 1000
/** Longer than everything that they are made of waits for. */
const TIMEOUT_MS = 5000

export type Metrics = ReturnType<typeof openMetrics>

/**
 * Counts from now on, and writes the metrics as Prometheus reads them for whoever may read them. Anyone else falls through
 * to Astro, which has no such page: it is a 404 like any other.
 * @param token opens the metrics to other machines.
 */
export function openMetrics(config: Config, token: string | undefined, isGuarded: () => boolean) {
  const { registry, requests, durations, openRequests } = registerMetrics(config, isGuarded)
  const isAllowed = openMetricsAccess(token, config.publicUrl)
  let isWatched = false

  async function render(): Promise<Buffer> {
    if (!isWatched) {
      isWatched = true
      // Those of the process; most sites are watched by no one. Before its first samples the lag is not a number.
      collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS })
      await delay(5 * LAG_SAMPLED_EVERY_MS)
    }
    return Buffer.from(await registry.metrics())
  }
  const rendered = cached(render, TTL_MS, TIMEOUT_MS)

  return {
    route: '/metrics',
    openRequests,
    isAskedBy: (request: IncomingMessage) => isForMetrics(request) && isAllowed(request),
    async reply(): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
      const body = await rendered()
      if (body !== undefined) {
        return { status: 200, headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' }, body }
      }
      const error = new UserError('overloaded', 'The metrics could not be read in time. Try again in a few seconds.')
      const problem = problemOf(error)
      return { ...problem, body: Buffer.from(JSON.stringify(problem.body)) }
    },
    /** @param route its pattern, never an address: labels have few values, and none that a client chooses. */
    countReply({ method, route, status, ms }: { method: string; route: string; status: number; ms: number }): void {
      const known = METHODS.includes(method) ? method : 'other'
      requests.inc({ route, method: known, status: `${Math.floor(status / 100)}xx` })
      durations.observe({ route }, ms / 1000)
    },
  }
}

function isForMetrics({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && url.split('?', 1)[0] === '/metrics'
}

/** Every metric of our own. `npm run docs` writes docs/metrics.md from it. */
export function registerMetrics(config: Config, isGuarded: () => boolean) {
  const registry = new Registry()
  const registers = [registry]
  const readings = openReadings(config)
  const activity = watchActivity((ms, error) => {
    if (error === undefined) writes.observe(ms / 1000)
    else failedWrites.inc({ reason: error instanceof UserError ? error.code : 'unexpected' })
  })

  /** A gauge that is read when someone asks, and left out where that is not possible. */
  function gauge(name: string, help: string, read: () => Promise<number | undefined> | number | undefined): void {
    gaugeBy([], name, help, async (set) => set({}, await read()))
  }

  function gaugeBy<Label extends string>(
    labelNames: Label[],
    name: string,
    help: string,
    read: (set: (labels: Partial<Record<Label, string>>, value: number | undefined) => void) => Promise<void>,
  ): void {
    new Gauge<Label>({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset()
        // Without labels there is a 0 to begin with.
        if (labelNames.length === 0) this.remove()
        await read((labels, value) => value !== undefined && this.set(labels, value))
      },
    })
  }

  gaugeBy(['version'], 'rsvp_build_info', 'Always 1; the version of the program is its label.', async (set) =>
    set({ version: readProgramVersion() }, 1),
  )
  gauge('rsvp_guarded', '1 once a password is set, 0 in open mode.', () => Number(isGuarded()))
  const requests = new Counter({
    name: 'rsvp_http_requests_total',
    help: 'Replies by route (its pattern; static: a file, refused: turned away before any route), method and class of status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'rsvp_http_request_duration_seconds',
    help: 'Time from a request to its complete reply, by route.',
    labelNames: ['route'],
    buckets,
    registers,
  })
  const openRequests = new Gauge({
    name: 'rsvp_http_open_requests',
    help: 'Requests received that have no complete reply yet.',
    registers,
  })
  new Counter({
    name: 'rsvp_rsvps_sent_total',
    help: 'RSVPs that visitors sent, by result: stored (also once more, where the same was sent again), or why it was refused, e.g. invalid, too-many, full.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      expectFirst(this, 'result', ['stored', 'invalid', 'too-many'])
      for (const [result, count] of outcomes) this.inc({ result }, count)
    },
  })
  gaugeBy(
    ['attending'],
    'rsvp_responses',
    'Responses that are stored, without deleted ones, by whether they attend.',
    async (set) => setAttendance(set, await readings.responses()),
  )
  gaugeBy(['attending'], 'rsvp_week_responses', "Of these, those for this week's service.", async (set) =>
    setAttendance(set, (await readings.week())?.responses),
  )
  gauge(
    'rsvp_week_expected_people',
    "People expected at this week's service.",
    async () => (await readings.week())?.people.expected,
  )
  gaugeBy(
    ['kind'],
    'rsvp_database_info',
    'Always 1; the kind of the database is its label: file or server.',
    async (set) => set({ kind: fileOf(config.databaseUrl) === undefined ? 'server' : 'file' }, 1),
  )
  gauge(
    'rsvp_database_readable',
    '1 while the database can be read, 0 while it fails or takes longer than a second. Then what is read from it is left out.',
    async () => Number((await readings.isReadable()) === true),
  )
  gauge('rsvp_database_damaged', '1 once damage was found in the database: from then on nothing is stored.', () =>
    Number(activity().isDamaged),
  )
  gauge('rsvp_database_size_bytes', 'Size of the database where it is a file.', readings.databaseSize)
  gauge('rsvp_database_waiting', "Reads and writes waiting in the database's queue.", () => activity().waiting)
  const writes = new Histogram({
    name: 'rsvp_database_write_duration_seconds',
    help: 'Time until a write was on the disk, including its wait in the queue and for locks.',
    buckets,
    registers,
  })
  const failedWrites = new Counter({
    name: 'rsvp_database_failed_writes_total',
    help: 'Writes that failed, by reason, e.g. full, busy, unavailable, damaged.',
    labelNames: ['reason'],
    registers,
  })
  expectFirst(failedWrites, 'reason', ['full', 'busy', 'unavailable', 'damaged'])
  new Counter({
    name: 'rsvp_database_retries_total',
    help: 'Attempts that met the lock of another process, or got no reply from a libSQL server, and were repeated.',
    registers,
    collect() {
      this.reset()
      this.inc(activity().retries)
    },
  })
  gauge('rsvp_backup_age_seconds', 'Age of the last good backup. Left out while there is none.', async () =>
    ageOf(await readings.backupAt()),
  )
  gauge(
    'rsvp_backup_copy_age_seconds',
    'Age of the last copy of a backup that was sent to the other place. Left out while there is none.',
    async () => ageOf(await readings.copyAt()),
  )
  gauge(
    'rsvp_restore_drill_age_seconds',
    'How long ago the newest backup was last proved by restoring it. Left out while it never was.',
    async () => ageOf(await readings.drillAt()),
  )
  gaugeBy(
    ['holds'],
    'rsvp_disk_free_bytes',
    'Free space on a disk, by what it holds: database or backups.',
    async (set) => {
      set({ holds: 'database' }, (await readings.databaseDisk())?.free)
      set({ holds: 'backups' }, (await readings.backupsDisk())?.free)
    },
  )
  gaugeBy(['holds'], 'rsvp_disk_size_bytes', 'Size of that disk.', async (set) => {
    set({ holds: 'database' }, (await readings.databaseDisk())?.size)
    set({ holds: 'backups' }, (await readings.backupsDisk())?.size)
  })
  gauge('rsvp_clock_doubtful', '1 while the clock is not trusted: nothing is purged by date then.', async () => {
    const isDoubtful = await readings.isClockDoubtful()
    return isDoubtful === undefined ? undefined : Number(isDoubtful)
  })
  return { registry, requests, durations, openRequests }
}

/** 0 before there is one: Prometheus sees no increase in a number that it has never seen lower. */
function expectFirst<Label extends string>(counter: Counter<Label>, label: Label, values: string[]): void {
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0)
}

function setAttendance(
  set: (labels: { attending: string }, value: number | undefined) => void,
  counts: { attending: number; notAttending: number } | undefined,
): void {
  set({ attending: 'yes' }, counts?.attending)
  set({ attending: 'no' }, counts?.notAttending)
}

/** In seconds, of a moment in ms since 1970. */
function ageOf(at: number | undefined): number | undefined {
  return at === undefined ? undefined : Math.max(0, Date.now() - at) / 1000
}
