// Runs all tests: Vitest (units and integration), then Playwright (a real browser). Ends with "N passed, N failed".
//
// Arguments select: `npm test -- db/rsvp` runs the matching Vitest files, `npm test -- site/e2e/share` the browser tests.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEnvironment, localNode, root, toolScript } from './local-node.mjs'
import { Failure } from './run.mjs'
import { chromium } from './testing/chromium.mjs'
import {
  add,
  failuresOfPlaywright,
  failuresOfVitest,
  fromPlaywright,
  fromVitest,
  sentence,
} from './testing/test-report.mjs'

const arguments_ = process.argv.slice(2)
const inBrowser = arguments_.filter((argument) => /site\/e2e|\.spec\.ts/.test(argument))
const others = arguments_.filter((argument) => !inBrowser.includes(argument))
const folder = mkdtempSync(join(tmpdir(), 'rsvp-test-'))

const counts = []
const failures = []
if (arguments_.length === 0 || others.length > 0) counts.push(await vitest())
if (arguments_.length === 0 || inBrowser.length > 0) counts.push(await playwright())
// A process that a test left to end by itself may still write there.
rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

const total = add(counts)
if (total.passed + total.failed === 0) console.error('No test ran.')
if (total.failed > 0 || total.passed === 0) process.exitCode = 1
for (const failure of failures) console.log(`\n${failure}`)
console.log(`\n${sentence(total)}`)

async function vitest() {
  const report = join(folder, 'vitest.json')
  const code = await show(toolScript('vitest'), ['run', ...others], { VITEST_REPORTS: folder })
  failures.push(...failuresOfVitest(read(report), read(join(folder, 'unhandled.json'))))
  return fromVitest(read(report), code)
}

async function playwright() {
  try {
    const report = join(folder, 'playwright.json')
    const variables = { CHROMIUM_PATH: await chromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: report }
    const code = await show(toolScript('@playwright/test'), ['test', '--reporter=list,json', ...inBrowser], variables)
    failures.push(...failuresOfPlaywright(read(report)))
    return fromPlaywright(read(report), code)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(error.message)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** Runs a test runner and shows its output at once. */
function show(script, args, variables = {}) {
  return new Promise((resolve) => {
    // The tests start hundreds of processes of the same programs: each compiles only what none before it has compiled.
    const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
    const options = { cwd: root, stdio: 'inherit', env: localEnvironment({ ...compiled, ...variables }) }
    spawn(localNode(), [script, ...args], options).on('close', (code) => resolve(code ?? 1))
  })
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
