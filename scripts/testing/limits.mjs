// Limits of the product for the processes of a test: it asks for cheap passwords and short waits where neither is its subject.

/** What every test has that asks for nothing else: its passwords cost a thousandth of a second. */
const TEST_LIMITS = { PASSWORD_LN: 8 }

/** The same in this process. */
export function setTestLimits() {
  globalThis.rsvpTestLimits = { ...TEST_LIMITS }
}

/**
 * The environment of a process that has the limits of tests, and these of its own.
 * @param {typeof globalThis.rsvpTestLimits} limits see db/limits.ts
 */
export function withLimits(limits = {}) {
  const set = `globalThis.rsvpTestLimits=${JSON.stringify({ ...TEST_LIMITS, ...limits })}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(set)}` }
}

/** Those of the product, for what only they can show. */
export const REAL_LIMITS = { NODE_OPTIONS: '' }
