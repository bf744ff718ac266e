// Runs all tests: Vitest (units and integration), then Playwright (a real browser). Ends with "N passed, N failed".
//
// Arguments select: `npm test -- db/rsvp` runs the matching Vitest files, `npm test -- site/e2e/share` the browser tests.
// Each runner ends with its failures, and the second one prints a character for each test: a truncated log keeps them all.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEnvironment, root } from './local-node.mjs'
import { finish } from './run.mjs'
import { chromium } from './testing/chromium.mjs'

const chosen = process.argv.slice(2)
const inBrowser = chosen.filter((word) => /site\/e2e|\.spec\.ts/.test(word))
const others = chosen.filter((word) => !inBrowser.includes(word))
const folder = mkdtempSync(join(tmpdir(), 'rsvp-test-'))
const report = join(folder, 'report.json')
let [passed, failed] = [0, 0]

if (chosen.length === 0 || others.length > 0) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const found = runTests('vitest', ['run', ...reporters, ...others])
  passed += found.numPassedTests ?? 0
  failed += found.numFailedTests ?? 0
}
if (chosen.length === 0 || inBrowser.length > 0)
  await finish(async () => {
    const variables = { CHROMIUM_PATH: await chromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: report }
    const { stats } = runTests('playwright', ['test', '--reporter=dot,json', ...inBrowser], variables)
    passed += stats?.expected ?? 0
    failed += stats ? stats.unexpected + stats.flaky : 0
  })
// A process that a test left to end by itself may still write there.
rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

if (passed === 0) process.exitCode = 1
// A runner that failed without a failed test: a crash, a file that does not load, no report, no test.
if (process.exitCode) failed ||= 1
console.log(`\n${passed} passed, ${failed} failed`)

/** Runs a test runner, shows its output at once, and reads its report, which is empty if it crashed. */
function runTests(runner, words, variables) {
  // The tests start hundreds of processes of the same programs, which share a compile cache.
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  // Under another clock: with the monotonic one of libfaketime, Node ends timers early, or at its start itself.
  const env = localEnvironment({ ...compiled, FAKETIME_DONT_FAKE_MONOTONIC: '1', ...variables })
  rmSync(report, { force: true })
  if (spawnSync(runner, words, { cwd: root, stdio: 'inherit', env }).status !== 0) process.exitCode = 1
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
}
