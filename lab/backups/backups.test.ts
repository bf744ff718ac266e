import { describe, expect, it } from 'vitest'
import { newSeed } from '../random.ts'
import { makeBackups } from './backups.ts'

// `npm run backups` makes many more.
describe('backups made while visitors send RSVPs', () => {
  it('are whole, hold what was acknowledged before each, and are restored as they are', async () => {
    const { findings, acknowledged, ms } = await makeBackups(3, newSeed(), () => {})
    expect(findings).toEqual([])
    expect(ms).toHaveLength(3)
    expect(acknowledged).toBeGreaterThan(20)
  })
})
