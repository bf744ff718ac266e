import { describe, expect, it } from 'vitest'
import { sentencesOf } from './errors.ts'

describe('sentencesOf', () => {
  it.each([
    'Cannot read "Ana Cole\n    ana@cole.example" of undefined',
    'Dear pastor,\n    at home we pray for Ana Cole, 555-0100',
  ])('shows where a bug happened, but not its message, which can quote what was typed: %j', (message) => {
    const [report = '', ...others] = sentencesOf(new TypeError(message))
    expect(others).toEqual([])
    expect(report).toMatch(/^This is a bug in rsvp \(TypeError\)\. Please report it with these lines:\n\s+at /)
    expect(report).toContain('errors.test.ts')
    expect(report).not.toMatch(/Ana|cole|555/i)
    expect(report.split('\n').length).toBeLessThanOrEqual(6)
  })

  it('shows nothing of a cause, nor of what is no error at all', () => {
    const bug = new Error('outer', { cause: new Error('Ana Cole') })
    expect(sentencesOf(bug).join('\n')).not.toMatch(/Ana|outer/)
    expect(sentencesOf('Ana Cole')).toEqual(['This is a bug in rsvp (string). Please report it with these lines:'])
  })
})
