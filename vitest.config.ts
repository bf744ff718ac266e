import { defineConfig } from 'vitest/config'
import { UnhandledErrors } from './scripts/testing/unhandled-errors.mjs'

// A folder, where scripts/test.mjs asks for reports to count.
const reports = process.env.VITEST_REPORTS

export default defineConfig({
  test: {
    include: ['{db,site,cli,scripts,lab}/**/*.test.{ts,tsx}'],
    setupFiles: ['./scripts/testing/vitest-setup.ts'],
    // The database driver is native code: a process of its own for each file keeps a crash in that file.
    pool: 'forks',
    // One more than there are processors on a small machine: most of what is waited for here is no computation.
    maxWorkers: 3,
    // Tests wait for conditions, not for clocks: a busy machine makes them late and not red. This only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: reports
      ? [
          'default',
          ['json', { outputFile: `${reports}/vitest.json` }],
          new UnhandledErrors(`${reports}/unhandled.json`),
        ]
      : ['default'],
    // A failure shows the values it compares, also where only its message is kept: `expected [ Array(1) ]` says nothing.
    chaiConfig: { truncateThreshold: 500 },
    watch: false,
    retry: 0,
    allowOnly: false,
  },
})
