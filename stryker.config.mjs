// What `npm run mutants` changes, one module at a time, and how.
import { readdirSync } from 'node:fs'

/** As in `db/access/sessions.ts`: the one module of this run. */
const module = process.env.MUTANTS ?? ''

/**
 * What is tested this way. The tests may not need the built server, which is not made of mutants. Nothing that writes
 * or deletes files: a mutant could do it in the wrong place.
 */
export const modules = [
  ...readdirSync('db/access', { recursive: true })
    .filter((name) => /(?<!\.test|-fixtures|table)\.ts$/.test(name))
    .map((name) => `db/access/${name}`),
  'db/rsvp/csv.ts',
  'db/rsvp/delete.ts',
  'db/rsvp/limit.ts',
  'db/rsvp/names.ts',
  'db/rsvp/purge.ts',
  'db/rsvp/search.ts',
  'site/server/access/access.ts',
  'site/server/access/guard.ts',
]

export const report = 'test-results/mutants.json'

/** Usually the test beside the module, and no other: each mutant runs them again. */
const others = {
  'db/access/loopback.ts': 'db/access/at-start.test.ts',
  'db/access/operations.ts': 'db/access/operations{,-sessions}.test.ts',
  'db/access/password.ts': 'db/access/{password,operations}.test.ts',
}
export const tests = others[module] ?? module.replace(/\.ts$/, '.test.ts')

export default {
  mutate: [module],
  testRunner: 'vitest',
  // Not by Stryker's own `testFiles`: it would switch on the mutants of constants too late, and all of them survive.
  vitest: { configFile: 'vitest.mutants.config.ts', pool: 'forks' },
  // Ignored by git, and not needed in the copy that is changed.
  ignorePatterns: ['dist', 'builds', 'data', 'test-results', 'playwright-report', 'rsvps-*'],
  tempDirName: 'test-results/mutants',
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: report },
  clearTextReporter: { logTests: false, reportTests: false },
  disableTypeChecks: false,
  warnings: { slow: false },
  // The same here, see vitest.mutants.config.ts.
  timeoutMS: 120_000,
  dryRunTimeoutMinutes: 15,
  concurrency: 2,
}
