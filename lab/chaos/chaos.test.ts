import { describe, expect, it } from 'vitest'
import { LOCK_TAKEN } from './figures.ts'
import { playRounds } from './rounds.ts'

// The long run of the same is `npm run chaos`.
describe.each([
  { database: 'file', rounds: 8, killed: 'the site on a file that another process locks' },
  { database: 'server', rounds: 2, killed: 'the libSQL server of two sites' },
] as const)('killing $killed', ({ database, rounds }) => {
  it('loses no answer that was acknowledged, halves none and stores none twice', async () => {
    const seed = Date.now() % 2 ** 31
    const { findings, evidence, counts, answered } = await playRounds({ database, rounds, seed })
    expect({ seed, findings, evidence }).toEqual({ seed, findings: [], evidence: [] })
    // Otherwise there would have been nothing to lose.
    expect(counts.acknowledged).toBeGreaterThan(0)
    if (database === 'file') expect(answered.get(LOCK_TAKEN)).toBeGreaterThan(0)
  })
})
