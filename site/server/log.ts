import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { isOutage, type UserError } from '#db/errors.ts'
import { fileLimitError, stackFramesOf } from '#db/process/errors.ts'
import { withDeadline } from '#db/storage/deadline.ts'

/** The log of the process. Never pass it a name, an address, a message or a body. Set the level once, at start. */
export const log: FastifyBaseLogger = pino(
  {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Fastify itself logs errors in the middle of a reply, with their message.
    serializers: { err: ({ name }: Error) => ({ name }) },
  },
  // Not pino's own destination: on a full disk it would keep the process from ending.
  process.stdout,
)

const DATABASE_FAILED = 'the database failed'
/** Every request meets an outage; it is logged once in this time. */
const OUTAGE_LOG_INTERVAL_MS = 60_000
const loggedAt = new Map<string, number>()
const SERVER_CHECK_INTERVAL_MS = 1000
let askServer: (() => Promise<unknown>) | undefined
let isServerAway = false

// A line that cannot be written, to a full disk or a closed pipe, must not end the site.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Logs where a bug happened, but not its message, which can quote what a visitor typed. */
export function logBug(error: unknown, route: string): void {
  const name = error instanceof Error ? error.name : typeof error
  log.error({ route, error: name, at: stackFramesOf(error) }, 'unexpected error')
}

/** Logs that storage failed, with the sentence that says what to do. It holds no personal data. */
export function logOutage({ code, message }: UserError, what = DATABASE_FAILED): void {
  if (what === DATABASE_FAILED && code === 'unavailable' && askServer !== undefined) {
    logServerOutage(message)
    return
  }
  const now = performance.now()
  if (now - (loggedAt.get(message) ?? -OUTAGE_LOG_INTERVAL_MS) < OUTAGE_LOG_INTERVAL_MS) return
  loggedAt.set(message, now)
  log.error({ reason: message }, what)
}

/** Where the database is on a libSQL server: `ask` fails while that does not reply. */
export function followServer(ask: () => Promise<unknown>): void {
  askServer = ask
}

/** A server is away as a whole, for reads too: so its outage is logged once, and its end. */
async function logServerOutage(message: string): Promise<void> {
  if (isServerAway) return
  isServerAway = true
  log.error({ reason: message }, DATABASE_FAILED)
  const isBack = () => withDeadline(async () => askServer?.()).then(Boolean, () => false)
  while (!(await isBack())) await delay(SERVER_CHECK_INTERVAL_MS, undefined, { ref: false })
  isServerAway = false
  log.warn('the database is back')
}

/** Logs that the limit of open files is reached, and returns the error for the client. */
export function loggedOutOfFiles(): UserError {
  const error = fileLimitError()
  logOutage(error, 'a file does not open')
  return error
}

/** undefined during an outage, so that the rest of the page is still rendered. */
export async function ifReadable<Output>(reading: Promise<Output>): Promise<Output | undefined> {
  try {
    return await reading
  } catch (error) {
    if (!isOutage(error)) throw error
    logOutage(error)
    return undefined
  }
}

/** The same for several parts. */
export async function readableOf<Readings extends Record<string, Promise<unknown>>>(readings: Readings) {
  const named = Object.entries(readings).map(async ([name, reading]) => [name, await ifReadable(reading)])
  return Object.fromEntries(await Promise.all(named)) as { [Name in keyof Readings]?: Awaited<Readings[Name]> }
}
