/** The limits that a test may set, so that it need not wait for those of the product or make it work as hard. */
export type LimitName = keyof typeof globalThis.rsvpTestLimits

declare global {
  var rsvpTestLimits: {
    /** How hard it is to guess a password: 2^ln blocks of memory, see `db/access/password.ts`. */
    PASSWORD_LN?: number
    /** How long a request waits for a database, see `db/storage/deadline.ts`. */
    REQUEST_DEADLINE_MS?: number
    /** How long requests in flight may take when the server stops, see `site/server/front/stop.ts`. */
    DRAIN_TIMEOUT_MS?: number
    /** How long who reads a list may take nothing of it, see `site/server/calls/list-places.ts`. */
    LIST_PAUSE_MS?: number
  }
}

/**
 * A limit of the product. No setting changes it: a test does, by code that it has run in the process before this one
 * (scripts/testing/limits.mjs), and whoever can do that needs no switch.
 */
export function limit(name: LimitName, value: number): number {
  return globalThis.rsvpTestLimits?.[name] ?? value
}
