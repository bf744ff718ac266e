import { describe, expect, it } from 'vitest'
import { makeBackups } from './run.ts'

// `npm run lab -- backups` makes many more.
describe('backups made while visitors send RSVPs', () => {
  it('are whole, hold what was acknowledged before each, and are restored as they are', async () => {
    const { findings, acknowledged, ms } = await makeBackups(3, 1)
    expect(findings).toEqual([])
    expect(ms).toHaveLength(3)
    expect(acknowledged).toBeGreaterThan(20)
  })
})
