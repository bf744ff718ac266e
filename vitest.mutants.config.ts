import { defineConfig } from 'vitest/config'
import { tests } from './stryker.config.mjs'
import config from './vitest.config.ts'

/** What runs against mutants: the tests of the one module that Stryker changes, and no others. */
export default defineConfig({
  ...config,
  // A test that times out because the machine is busy would count as one that noticed something.
  test: { ...config.test, projects: undefined, include: [tests], testTimeout: 60_000, hookTimeout: 60_000 },
})
