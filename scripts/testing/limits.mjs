// Sets the product's limits for processes in tests: cheap password hashes and short waits, where a test is not about them.

/** The default of every test: hashing a password takes a millisecond. */
const TEST_LIMITS = { PASSWORD_LN: 8 }

/** Sets them in this process. */
export function setTestLimits() {
  globalThis.rsvpTestLimits = { ...TEST_LIMITS }
}

/**
 * The environment of a process with the limits of tests, overridden by these.
 * @param {typeof globalThis.rsvpTestLimits} limits see db/limits.ts
 */
export function withLimits(limits = {}) {
  const set = `globalThis.rsvpTestLimits=${JSON.stringify({ ...TEST_LIMITS, ...limits })}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(set)}` }
}

/** An environment with the product's own limits, for tests that need them. */
export const REAL_LIMITS = { NODE_OPTIONS: '' }
