// Overrides constants of the product in tests: cheap password hashes and short waits, where a test is not about them.

/** The default of every test: hashing a password takes a millisecond. */
const TEST_OVERRIDES = { PASSWORD_LN: 8 }

export function setTestOverrides() {
  globalThis.rsvpTestOverrides = { ...TEST_OVERRIDES }
}

/**
 * The environment of a process with these overrides and those of every test, and with the shared compile cache.
 * @param {typeof globalThis.rsvpTestOverrides} overrides see db/values/test-override.ts
 */
export function withOverrides(overrides = {}) {
  const set = `globalThis.rsvpTestOverrides=${JSON.stringify({ ...TEST_OVERRIDES, ...overrides })}`
  const { NODE_COMPILE_CACHE } = process.env
  return {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(set)}`,
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
  }
}

/** An environment with the product's own constants, for tests that need them. */
export const NO_OVERRIDES = { NODE_OPTIONS: '' }
