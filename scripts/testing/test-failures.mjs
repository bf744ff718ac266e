// Repeats the failures at the end, because a truncated log keeps its last lines.
import { stripVTControlCharacters } from 'node:util'

/** The first lines of a message say what is wrong and where. */
const LINES = 8

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
