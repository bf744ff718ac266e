import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { UserError } from '#db/errors.ts'
import { outOfFiles } from '#db/open-files.ts'
import { placesOf } from '#db/stack.ts'

// What cannot be said, on a disk that is full or to a pipe that nobody reads any more, must not end the site.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** One log for the process. It never gets a name, an address, a message or a body. Set the level once, at start. */
export const log: FastifyBaseLogger = pino(
  {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Fastify logs what breaks in mid-answer by itself, with its message.
    serializers: { err: ({ name }: Error) => ({ name }) },
  },
  // Not pino's own way there: when the process has to end on a full disk, that waits for room for ever.
  process.stdout,
)

/** Logs a bug: where it happened, but not its message, which can quote what somebody typed. */
export function logBug(error: unknown, route: string): void {
  const name = error instanceof Error ? error.name : typeof error
  log.error({ route, error: name, at: placesOf(error) }, 'unexpected error')
}

/** How long the same outage is not told again, in ms: everybody who asks meets it. */
const TOLD_EVERY = 60_000
const toldAt = new Map<string, number>()

/** Logs that storage failed, with the sentence that says what to do: it holds nothing of anybody. */
export function logOutage({ message }: UserError, what = 'the database failed'): void {
  const now = performance.now()
  if (now - (toldAt.get(message) ?? -TOLD_EVERY) < TOLD_EVERY) return
  toldAt.set(message, now)
  log.error({ sentence: message }, what)
}

/** What is answered when something does not open because too much is open already. */
export function loggedOutOfFiles(): UserError {
  const error = outOfFiles()
  logOutage(error, 'a file does not open')
  return error
}
