import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

/** One log for the process. It never gets a name, an address, a message or a body. Set the level once, at start. */
export const log: FastifyBaseLogger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime })

/** Logs a bug: where it happened, but not its message, which can quote what somebody typed. */
export function logBug(error: unknown, route: string): void {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  log.error(
    { route, error: error instanceof Error ? error.name : typeof error, at: frames.map((frame) => frame.trim()) },
    'unexpected error',
  )
}
