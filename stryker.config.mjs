// What `npm run mutants` changes, and how.

/**
 * What is tested this way, by the tests beside it. These may not need the built server, which is not made of mutants.
 * Nothing that writes or deletes files: a mutant could do it in the wrong place.
 */
const all = [
  'db/access/*.ts',
  'db/rsvp/conditions.ts',
  'db/rsvp/csv.ts',
  'db/rsvp/deletion.ts',
  'db/rsvp/limit.ts',
  'db/rsvp/public-name.ts',
  'db/rsvp/retention.ts',
  'db/rsvp/suspicion.ts',
  'site/server/access.ts',
  'site/server/guard.ts',
  'site/server/network.ts',
  'site/server/security-headers.ts',
]

/** Those of them that were named. */
export const modules = all.filter((module) => module.includes(process.env.MUTANTS ?? ''))

export default {
  mutate: [...modules, '!**/*.test.ts'],
  testRunner: 'vitest',
  // Not by Stryker's own `testFiles`: it would switch on the mutants of constants too late, and all of them survive.
  vitest: { configFile: 'vitest.mutants.config.ts', pool: 'forks' },
  // Time out late: a busy machine is no killed mutant.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 15,
  // Ignored by git, and not needed in the copy that is changed.
  ignorePatterns: ['dist', 'data', 'test-results', 'playwright-report', 'rsvps-*'],
  tempDirName: 'test-results/mutants',
  reporters: ['clear-text', 'html', 'progress-append-only'],
  htmlReporter: { fileName: 'test-results/mutants.html' },
  clearTextReporter: { logTests: false, reportTests: false },
  disableTypeChecks: false,
  warnings: { slow: false },
  concurrency: 2,
  thresholds: { high: 100, low: 95, break: 95 },
}
