import { describe, expect, it } from 'vitest'
import { restart } from '../../../lab/restarts/restarts.ts'

describe('a site that is restarted while clients send requests', () => {
  // Many more in `npm run restarts`.
  it('replies to every request that it has taken, and stores what it has acknowledged', async () => {
    const { findings, replies, acknowledged } = await restart(4)
    expect(findings).toEqual([])
    expect(acknowledged).toBeGreaterThan(8)
    expect(replies).toBeGreaterThan(acknowledged)
  })
})
