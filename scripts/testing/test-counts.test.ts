import { describe, expect, it } from 'vitest'
import { add, fromPlaywright, fromVitest, sentence } from './test-counts.mjs'

const passed = { status: 'passed' }

describe('fromVitest', () => {
  it('counts a file that did not load as failed', () => {
    const report = {
      numPassedTests: 2,
      numFailedTests: 0,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'passed', assertionResults: [passed, passed] },
      ],
    }
    expect(fromVitest(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 0 })
  })

  it('counts an error between the tests as one failure', () => {
    const report = { numPassedTests: 1, testResults: [{ status: 'passed', assertionResults: [passed] }] }
    expect(fromVitest(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it('counts a run without a report as one failure', () => {
    expect(fromVitest(undefined, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('fromPlaywright', () => {
  it('counts flaky tests and errors outside of tests as failed', () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 1 }, errors: [{ message: 'no browser' }] }
    expect(fromPlaywright(report, 1)).toEqual({ passed: 5, failed: 3, skipped: 1 })
  })
})

describe('sentence', () => {
  it('adds up both runners', () => {
    const total = add([
      { passed: 3, failed: 0, skipped: 0 },
      { passed: 2, failed: 1, skipped: 0 },
    ])
    expect(sentence(total)).toBe('5 passed, 1 failed')
  })

  it('names skipped tests when there are some', () => {
    expect(sentence({ passed: 1, failed: 0, skipped: 2 })).toBe('1 passed, 0 failed, 2 skipped')
  })
})
