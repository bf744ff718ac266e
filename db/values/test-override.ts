declare global {
  /** Values that tests set, to wait less and to do less work. */
  var rsvpTestOverrides: {
    /** How hard it is to guess a password: 2^ln blocks of memory, see `db/access/password.ts`. */
    PASSWORD_LN?: number
    /** How long a request waits for a database, see `db/storage/deadline.ts`. */
    REQUEST_DEADLINE_MS?: number
    /** How long requests in flight may take when the server stops, see `site/server/main.ts`. */
    DRAIN_TIMEOUT_MS?: number
    /** How long the result of a probe write is reused, see `db/health.ts`. */
    WRITE_PROBE_TTL_MS?: number
    /** How often the site looks for mail to send, see `site/server/mail/keep-sending.ts`. */
    MAIL_INTERVAL_MS?: number
  }
}

/**
 * A constant that tests override by code that runs earlier in the process (scripts/testing/overrides.mjs). It is not a
 * setting, so no environment variable can weaken a running site.
 */
export function overridable(name: keyof typeof globalThis.rsvpTestOverrides, value: number): number {
  return globalThis.rsvpTestOverrides?.[name] ?? value
}
