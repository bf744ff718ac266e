// Runs all tests: Vitest (units and integration) beside Playwright (a real browser), because each leaves a processor idle at
// times. Ends with "N passed, N failed".
//
// Arguments select: `npm test -- db/rsvp` runs the matching Vitest files, `npm test -- site/e2e/share` the browser tests.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { localEnvironment, localNode, root, toolScript } from './local-node.mjs'
import { Failure } from './run.mjs'
import { chromium } from './testing/chromium.mjs'
import { add, fromPlaywright, fromVitest, sentence } from './testing/test-counts.mjs'
import { failuresOfPlaywright, failuresOfVitest } from './testing/test-failures.mjs'

const arguments_ = process.argv.slice(2)
const inBrowser = arguments_.filter((argument) => /site\/e2e|\.spec\.ts/.test(argument))
const others = arguments_.filter((argument) => !inBrowser.includes(argument))
const folder = mkdtempSync(join(tmpdir(), 'rsvp-test-'))

const isWhole = arguments_.length === 0
const runners = []
if (isWhole || others.length > 0) runners.push(vitest)
if (isWhole || inBrowser.length > 0) runners.push(playwright)
const isBeside = runners.length > 1

const failures = []
const counts = await Promise.all(runners.map((run) => run()))
// A process that a test left to end by itself may still write there.
rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

const total = add(counts)
if (total.passed + total.failed === 0) console.error('No test ran.')
if (total.failed > 0 || total.passed === 0) process.exitCode = 1
for (const failure of failures) console.log(`\n${failure}`)
console.log(`\n${sentence(total)}`)

async function vitest() {
  const report = join(folder, 'vitest.json')
  const args = ['run', ...others]
  const code = await show('vitest', toolScript('vitest'), args, { VITEST_REPORTS: folder })
  failures.push(...failuresOfVitest(read(report), read(join(folder, 'unhandled.json'))))
  return fromVitest(read(report), code)
}

async function playwright() {
  try {
    const report = join(folder, 'playwright.json')
    const variables = { CHROMIUM_PATH: await chromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: report }
    const args = ['test', '--reporter=list,json', ...inBrowser]
    const code = await show('browser', toolScript('@playwright/test'), args, variables)
    failures.push(...failuresOfPlaywright(read(report)))
    return fromPlaywright(read(report), code)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(error.message)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** Runs a test runner and shows its output at once, line by line under its name where two of them write. */
function show(name, script, args, variables = {}) {
  return new Promise((resolve) => {
    // The tests start hundreds of processes of the same programs: each compiles only what none before it has compiled.
    const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
    const stdio = isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit'
    const options = { cwd: root, stdio, env: localEnvironment({ ...compiled, ...variables }) }
    const runner = spawn(localNode(), [script, ...args], options)
    for (const output of [runner.stdout, runner.stderr]) {
      if (output) createInterface(output).on('line', (line) => console.log(`${name} | ${line}`))
    }
    runner.on('close', (code) => resolve(code ?? 1))
  })
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
