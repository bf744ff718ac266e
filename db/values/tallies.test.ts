import { expect, it } from 'vitest'
import { countDuration, DURATION_BOUNDS, noDurations } from './tallies.ts'

it('counts each duration at the first bound that is not below it', () => {
  const durations = noDurations()
  for (const ms of [0, 1, 1.1, 10, 9999, 10_000, 10_001, 60_000]) countDuration(durations, ms)
  const counted = durations.counts.map((count, place) => [DURATION_BOUNDS[place] ?? 'more', count])
  expect(counted.filter(([, count]) => count !== 0)).toEqual([
    [0.001, 2],
    [0.0025, 1],
    [0.01, 1],
    [10, 2],
    ['more', 2],
  ])
  expect(durations.sum).toBeCloseTo(90.0121)
})
