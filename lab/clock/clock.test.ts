import { describe, expect, it } from 'vitest'
import { nights, runNight } from './nights.ts'
import { listCases, tryClock } from './wrong-clock.ts'

// Several processes in sequence, on a machine that may be busy. `npm run clocks` tries all clocks and nights.
const options = { timeout: 900_000 }

describe('a site that starts with a wrong clock', () => {
  it.each(listCases().filter(({ name }) => name === '2015'))('removes nothing in $name', options, async (clock) => {
    expect(await tryClock(clock, 'at start')).toEqual([])
  })
})

describe('the nightly backup of a site', () => {
  it('is made once in a night in which the clocks go forward', options, async () => {
    const [forward] = nights
    if (forward === undefined) throw new Error('There is no such night.')
    const short = { ...forward, to: '2026-03-08T08:10:00Z', expected: forward.expected.slice(0, 2) }
    expect((await runNight(short)).findings).toEqual([])
  })
})
