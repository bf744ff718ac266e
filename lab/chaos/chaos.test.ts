import { describe, expect, it } from 'vitest'
import { newSeed } from '../random.ts'
import { LOCK_TAKEN } from './figures.ts'
import { playRounds } from './rounds.ts'

// `npm run chaos` does much more of the same.
describe.each([
  { database: 'file', rounds: 5, killed: 'the site on a file that another process locks' },
  { database: 'server', rounds: 2, killed: 'the libSQL server of two sites' },
] as const)('killing $killed', ({ database, rounds }) => {
  it('loses no acknowledged RSVP, stores none twice and leaves none half-written', async () => {
    const seed = newSeed()
    const { findings, evidence, counts, outcomes } = await playRounds({ database, rounds, seed })
    expect({ seed, findings, evidence }).toEqual({ seed, findings: [], evidence: [] })
    // Without these there was nothing to lose.
    expect(counts.acknowledged).toBeGreaterThan(0)
    if (database === 'file') expect(outcomes.get(LOCK_TAKEN)).toBeGreaterThan(0)
  })
})
