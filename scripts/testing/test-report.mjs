// Reads the reports of the two test runners: how many tests passed and failed, and why. A truncated log keeps its last
// lines, so the failures are repeated at the end.
import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/** The first lines of a message say what is wrong and where. */
const LINES = 8

/** A file that does not load has no failed tests, so it counts as one failure. */
export function fromVitest(report, exitCode) {
  const files = report?.testResults ?? []
  const broken = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  )
  return atLeastOneFailed(exitCode, {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + broken.length,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  })
}

export function fromPlaywright(report, exitCode) {
  const stats = report?.stats ?? { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
  return atLeastOneFailed(exitCode, {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + (report?.errors?.length ?? 0),
    skipped: stats.skipped,
  })
}

export function add(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

export function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** A runner that failed without a failed test (a crash, an error between tests, no report) counts as one failure. */
function atLeastOneFailed(exitCode, count) {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}

/** @returns one text for each failed test, each file that did not load or clean up, and each error between the tests. */
export function failuresOfVitest(report, unhandled = []) {
  const inFiles = (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length > 0) {
      return failed.map(({ fullName, failureMessages }) => failure(`${name} › ${fullName}`, failureMessages[0]))
    }
    return message ? [failure(name, message)] : []
  })
  return [...inFiles, ...unhandled.map((message) => failure('between the tests', message))]
}

/** @returns one text for each failed or flaky test. */
export function failuresOfPlaywright(report) {
  return [
    ...(report?.errors ?? []).map(({ message }) => failure('Playwright', message)),
    ...(report?.suites ?? []).flatMap(failuresOfSuite),
  ]
}

function failuresOfSuite({ file, specs = [], suites = [] }) {
  const failed = specs.flatMap(({ title, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => failure(`${file}:${line} › ${title}`, firstMessage(results))),
  )
  return [...failed, ...suites.flatMap(failuresOfSuite)]
}

function firstMessage(results) {
  return results.find(({ error }) => error !== undefined)?.error.message
}

function failure(name, message = 'It gives no reason.') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line))
  return [`FAILED ${name}`, ...lines.slice(0, LINES).map((line) => `  ${line}`)].join('\n')
}

/** A Vitest reporter that writes errors between tests, which the JSON report lacks, to a file. */
export class UnhandledErrors {
  constructor(file) {
    this.file = file
  }

  onTestRunEnd(_modules, errors) {
    const messages = errors.map(({ stack, message }) => stack ?? message)
    writeFileSync(this.file, JSON.stringify(messages))
  }
}
