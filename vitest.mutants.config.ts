import { defineConfig } from 'vitest/config'
import { modules } from './stryker.config.mjs'
import config from './vitest.config.ts'

/** What runs against mutants: the tests beside the modules that Stryker changes, and no others. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: modules.map((module) => module.replace(/\.ts$/, '.test.ts')) },
})
