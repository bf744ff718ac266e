// Runs all tests: Vitest (units and integration), then Playwright (a real browser). Ends with "N passed, N failed".
//
// Arguments select: `npm test -- db/rsvp` runs the matching Vitest files, `npm test -- site/e2e/share` the browser tests.
// Each runner ends with its failures, and the second one prints a character for each test: a truncated log keeps them all.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEnvironment, root } from './local-node.mjs'
import { Failure } from './run.mjs'
import { chromium } from './testing/chromium.mjs'

const arguments_ = process.argv.slice(2)
const inBrowser = arguments_.filter((argument) => /site\/e2e|\.spec\.ts/.test(argument))
const others = arguments_.filter((argument) => !inBrowser.includes(argument))
const folder = mkdtempSync(join(tmpdir(), 'rsvp-test-'))
const report = join(folder, 'report.json')
const total = [0, 0, 0]

if (arguments_.length === 0 || others.length > 0) {
  const words = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...others]
  const { code, found } = await testsOf('vitest', words)
  count(code, found.numPassedTests, found.numFailedTests, found.numPendingTests + found.numTodoTests)
}
if (arguments_.length === 0 || inBrowser.length > 0) {
  try {
    const variables = { CHROMIUM_PATH: await chromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: report }
    const { code, found } = await testsOf('playwright', ['test', '--reporter=dot,json', ...inBrowser], variables)
    const { expected, unexpected, flaky, skipped } = found.stats ?? {}
    count(code, expected, unexpected + flaky, skipped)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(error.message)
    count(1)
  }
}
// A process that a test left to end by itself may still write there.
rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

const [passed, failed, skipped] = total
if (passed + failed === 0) console.error('No test ran.')
if (failed > 0 || passed === 0) process.exitCode = 1
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)

/** Runs a test runner, shows its output at once, and reads its report, which is empty if it crashed. */
async function testsOf(runner, words, variables) {
  // The tests start hundreds of processes of the same programs, which share a compile cache.
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  // Under another clock: with the monotonic one of libfaketime, Node ends timers early, or at its start itself.
  const env = localEnvironment({ ...compiled, FAKETIME_DONT_FAKE_MONOTONIC: '1', ...variables })
  rmSync(report, { force: true })
  const child = spawn(runner, words, { cwd: root, stdio: 'inherit', env })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, found: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {} }
}

/** A runner that failed without a failed test (a crash, a file that does not load, no report) counts as one failure. */
function count(code, ...numbers) {
  if (code !== 0 && !numbers[1]) numbers[1] = 1
  for (const place of total.keys()) total[place] += numbers[place] || 0
}
