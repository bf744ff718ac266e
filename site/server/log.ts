import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { isOutage, stackFramesOf, type UserError } from '#db/values/errors.ts'

/** The log of the process. Never log a name, an address, a message or a body. The level is set once, at start. */
export const log: FastifyBaseLogger = pino(
  {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Fastify logs errors in the middle of a reply, with their message.
    serializers: { err: ({ name }: Error) => ({ name }) },
  },
  // On a full disk, pino's own destination would keep the process from ending.
  process.stdout,
)

/** An outage is over once no request has met it for this time. */
const OUTAGE_END_MS = 10 * 60_000
const metAt = new Map<string, number>()

// A full disk or a closed pipe must not end the site.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Logs where a bug happened, without its message, which may quote what a visitor typed. */
export function logBug(error: unknown, route: string): void {
  const name = error instanceof Error ? error.name : typeof error
  log.error({ route, error: name, at: stackFramesOf(error) }, 'unexpected error')
}

/** Logs an outage of the database once, with the sentence that says what to do, which has no personal data. */
export function logOutage({ message }: UserError): void {
  const now = performance.now()
  const last = metAt.get(message) ?? Number.NEGATIVE_INFINITY
  metAt.set(message, now)
  if (now - last > OUTAGE_END_MS) log.error({ reason: message }, 'the database failed')
}

/** Returns undefined during an outage, so that the rest of the page is still rendered. */
export async function ifReadable<Output>(reading: Promise<Output>): Promise<Output | undefined> {
  try {
    return await reading
  } catch (error) {
    if (!isOutage(error)) throw error
    logOutage(error)
    return undefined
  }
}

/** Reads several parts of a page. A part is undefined during an outage. */
export async function readableOf<Readings extends Record<string, Promise<unknown>>>(readings: Readings) {
  const named = Object.entries(readings).map(async ([name, reading]) => [name, await ifReadable(reading)])
  return Object.fromEntries(await Promise.all(named)) as { [Name in keyof Readings]?: Awaited<Readings[Name]> }
}
