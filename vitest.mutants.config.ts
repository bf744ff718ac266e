import { defineConfig } from 'vitest/config'
import { tests } from './stryker.config.mjs'
import config from './vitest.config.ts'

/** What runs against mutants: the tests of the one module that Stryker changes, and no others. */
export default defineConfig({ ...config, test: { ...config.test, include: [tests] } })
