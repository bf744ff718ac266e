// What `npm run mutants` changes, one module at a time, and how.
import { readdirSync } from 'node:fs'

/** As in `db/access/sessions.ts`: the one module of this run. */
const module = process.env.MUTANTS ?? ''

/**
 * What is tested this way. The tests may not need the built server, which is not made of mutants. Nothing that writes
 * or deletes files but the temporary database of the tests: a mutant could do it in the wrong place.
 */
export const modules = [
  ...readdirSync('db/access', { recursive: true })
    .filter((name) => /(?<!\.test|-fixtures|table)\.ts$/.test(name))
    .map((name) => `db/access/${name}`),
  ...['csv', 'delete', 'idempotency', 'limit', 'names', 'purge', 'roles', 'search', 'submit', 'write'].map(
    (name) => `db/rsvp/${name}.ts`,
  ),
  ...['client', 'local-client', 'queue', 'storage-error'].map((name) => `db/storage/${name}.ts`),
  'site/server/access/access.ts',
  'site/server/access/guard.ts',
]

export const report = 'test-results/mutants.json'

/** Usually the test beside the module, and no other: each mutant runs them again. */
const others = {
  'db/access/allowance.ts': 'db/{access/allowance,rsvp/limit}.test.ts',
  'db/access/floods.ts': 'db/{access/attempts,rsvp/submit}.test.ts',
  'db/access/loopback.ts': 'db/access/at-start.test.ts',
  'db/access/operations.ts': 'db/access/operations{,-sessions}.test.ts',
  'db/access/password.ts': 'db/access/{password,operations}.test.ts',
  'db/access/schema.ts': 'db/access/operations{,-sessions}.test.ts',
  'db/access/sessions.ts': 'db/access/{sessions,operations-sessions}.test.ts',
  'db/rsvp/search.ts': 'db/rsvp/{search,merge}.test.ts',
  'db/rsvp/roles.ts': 'db/{rsvp/roles,volunteer-role/operations}.test.ts',
  'db/rsvp/submit.ts': 'db/rsvp/{submit,roles,idempotency,service-dates}.test.ts',
  'db/rsvp/write.ts': 'db/rsvp/{submit,roles,entry,import}.test.ts',
  'db/storage/local-client.ts': 'db/storage/{local-client,client}.test.ts',
  'db/storage/storage-error.ts': 'db/storage/{storage-error,queue}.test.ts',
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
