import { describe, expect, it } from 'vitest'
import { nights, spend } from './nights.ts'
import { listCases, tryClock } from './wrong-clock.ts'

// Several processes, one after the other, on a machine that may be busy. The long run is `npm run clocks`.
const patience = { timeout: 900_000 }

describe('a site whose clock is wrong at its start', () => {
  it.each(listCases().filter(({ name }) => name === '2015'))('takes nothing in $name', patience, async (clock) => {
    expect(await tryClock(clock, 'at start')).toEqual([])
  })
})

describe('the nightly backup of a site', () => {
  it('is made once in the night in which the clocks go forward', patience, async () => {
    const [forward] = nights
    if (forward === undefined) throw new Error('There is no such night.')
    const short = { ...forward, to: '2026-03-08T08:10:00Z', expected: forward.expected.slice(0, 2) }
    expect((await spend(short)).findings).toEqual([])
  })
})
