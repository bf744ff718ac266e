import { defineConfig } from 'vitest/config'

const manySmallFiles = [
  '@date-fns/tz',
  'date-fns/constants',
  'date-fns/format',
  'date-fns/subDays',
  'drizzle-orm',
  'drizzle-orm/migrator',
  'drizzle-orm/sqlite-core',
  'drizzle-orm/sqlite-proxy',
  'zod/mini',
]

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['{db,site}/**/*.test.{ts,tsx}'],
          exclude: ['site/scenarios/**'],
          // Most of these files are quick: loading the same modules for each took a third of the time of all of them.
          isolate: false,
        },
      },
      {
        extends: true,
        // Files share the sites that they start: see scenarios/fixtures.ts.
        test: { name: 'scenarios', include: ['site/scenarios/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: { name: 'processes', include: ['{cli,scripts,lab}/**/*.test.{ts,tsx}'] },
      },
    ],
    setupFiles: ['./scripts/testing/vitest-setup.ts'],
    // The database driver is native code: a crash in it must not take the runner along.
    pool: 'forks',
    // Packages of hundreds of small files become a file each, once: loading them took half of the time of most test files.
    // None of them may keep state, or be imported by a package that is not in this list: that would load its own copy.
    deps: { optimizer: { ssr: { enabled: true, include: manySmallFiles } } },
    // Styles are left out of what tests import, unless they are read as a text.
    css: { include: /\.css\?raw$/ },
    // Two more than there are processors on a small machine: most of what is waited for here is no computation.
    maxWorkers: 4,
    // Tests wait for conditions, not for clocks: a busy machine makes them late and not red. This only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // A failure shows the values it compares, also where only its message is kept: `expected [ Array(1) ]` says nothing.
    chaiConfig: { truncateThreshold: 500 },
    watch: false,
    retry: 0,
    allowOnly: false,
  },
})
