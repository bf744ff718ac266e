import { describe, expect, it } from 'vitest'
import { isDrillDue } from './drill-due.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const ago = (days: number) => new Date(now.getTime() - days * 24 * 3600 * 1000).toISOString()

describe('isDrillDue', () => {
  it.each([
    ['there never was one', undefined, true],
    ['one has passed just now', { at: ago(0), passed: true }, false],
    ['one has passed 29 days ago', { at: ago(29.99), passed: true }, false],
    ['one has passed 30 days ago', { at: ago(30), passed: true }, true],
    ['one has failed an hour ago', { at: ago(1 / 24), passed: false }, false],
    ['one has failed a day ago', { at: ago(1), passed: false }, true],
    ['one has passed while the clock was ahead', { at: ago(-0.01), passed: true }, true],
    ['one has failed while the clock was ahead', { at: ago(-4000), passed: false }, true],
  ])('where %s: %o is %s', (_, last, due) => {
    expect(isDrillDue(last, now)).toBe(due)
  })
})
