import { describe, expect, it } from 'vitest'
import { restart } from '../../reliability/restarts/restarts.ts'

describe('a site that is restarted while clients ask all the time', () => {
  // Many more in `npm run restarts`.
  it('answers every request that it has taken, and stores what it has acknowledged', { timeout: 240_000 }, async () => {
    const { findings, answered, acknowledged, slowestStopMs } = await restart(10)
    expect(findings).toEqual([])
    expect(acknowledged).toBeGreaterThan(50)
    expect(answered).toBeGreaterThan(acknowledged)
    expect(slowestStopMs).toBeLessThan(10_000)
  })
})
