import { describe, expect, it } from 'vitest'
import { makeBackups } from './backups.ts'

// The long run of the same is `npm run backups`.
describe('backups made while people answer', () => {
  it('are whole, hold what was acknowledged before each, and come back as they are', async () => {
    const { findings, acknowledged, ms } = await makeBackups(8, () => {})
    expect(findings).toEqual([])
    expect(ms).toHaveLength(8)
    expect(acknowledged).toBeGreaterThan(50)
  })
})
