import { describe, expect, it } from 'vitest'
import { add, failuresOfPlaywright, failuresOfVitest, fromPlaywright, fromVitest, sentence } from './test-report.mjs'

const passed = { status: 'passed' }

describe('fromVitest', () => {
  it.each([
    ['a file that did not load', { numPassedTests: 2, testResults: [{ status: 'failed', assertionResults: [] }] }, 2],
    [
      'an error between the tests',
      { numPassedTests: 1, testResults: [{ status: 'passed', assertionResults: [passed] }] },
      1,
    ],
    ['a run without a report', undefined, 0],
  ])('counts %s as one failure', (_, report, count) => {
    expect(fromVitest(report, 1)).toEqual({ passed: count, failed: 1, skipped: 0 })
  })
})

describe('fromPlaywright', () => {
  it('counts flaky tests and errors outside of tests as failed', () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 1 }, errors: [{ message: 'no browser' }] }
    expect(fromPlaywright(report, 1)).toEqual({ passed: 5, failed: 3, skipped: 1 })
  })
})

describe('sentence', () => {
  it('adds up both runners, and names skipped tests when there are some', () => {
    const both = [3, 2].map((count) => ({ passed: count, failed: 1, skipped: 0 }))
    expect(sentence(add(both))).toBe('5 passed, 2 failed')
    expect(sentence({ passed: 1, failed: 0, skipped: 2 })).toBe('1 passed, 0 failed, 2 skipped')
  })
})

describe('failuresOfVitest', () => {
  it('names each failed test and a file that did not load, with the reason and where in the project', () => {
    const failureMessages = [
      'AssertionError: expected 1 to be 2\n    at db/a.test.ts:3:5\n    at node_modules/x.js:1:1',
    ]
    const report = {
      testResults: [
        {
          name: 'db/a.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [
            { status: 'passed', fullName: 'a holds' },
            { status: 'failed', fullName: 'a adds', failureMessages },
          ],
        },
        { name: 'db/b.test.ts', status: 'failed', message: 'SyntaxError: b', assertionResults: [] },
        { name: 'db/c.test.ts', status: 'passed', message: '', assertionResults: [] },
      ],
    }
    expect(failuresOfVitest(report)).toEqual([
      'FAILED db/a.test.ts › a adds\n  AssertionError: expected 1 to be 2\n      at db/a.test.ts:3:5',
      'FAILED db/b.test.ts\n  SyntaxError: b',
    ])
  })

  it('names what was thrown between the tests', () => {
    expect(failuresOfVitest({ testResults: [] }, ['Error: reset'])).toEqual([
      'FAILED between the tests\n  Error: reset',
    ])
  })

  it('has nothing to say of a run without a report', () => {
    expect(failuresOfVitest(undefined)).toEqual([])
  })
})

describe('failuresOfPlaywright', () => {
  it('names each failed and each flaky test, however deep, and errors outside of tests', () => {
    const failed = { status: 'unexpected', results: [{ error: { message: '\u001b[31mTimed out\u001b[39m' } }] }
    const flaky = { status: 'flaky', results: [{ error: { message: 'Once' } }, {}] }
    const passed = { status: 'expected', results: [{}] }
    const inner = { file: 'a.spec.ts', specs: [{ title: 'sends', line: 7, tests: [failed, passed] }] }
    const outer = { file: 'a.spec.ts', specs: [{ title: 'shows', line: 3, tests: [flaky] }], suites: [inner] }
    expect(failuresOfPlaywright({ errors: [{ message: 'no browser' }], suites: [outer] })).toEqual([
      'FAILED Playwright\n  no browser',
      'FAILED a.spec.ts:3 › shows\n  Once',
      'FAILED a.spec.ts:7 › sends\n  Timed out',
    ])
  })
})
