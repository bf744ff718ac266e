// Adds up the reports of the two test runners. The sum shows a failure wherever one of the runners failed.

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
