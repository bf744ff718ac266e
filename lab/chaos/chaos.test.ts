import { describe, expect, it } from 'vitest'
import { LOCK_TAKEN, playRounds } from './run.ts'

// `npm run lab -- chaos` does much more of the same, with other seeds.
describe.each([
  { database: 'file', rounds: 5, killed: 'the site on a file that another process locks' },
  { database: 'server', rounds: 2, killed: 'the libSQL server of two sites' },
] as const)('killing $killed', ({ database, rounds }) => {
  it('loses no acknowledged RSVP, stores none twice and leaves none half-written', async () => {
    const { findings, outcomes } = await playRounds(database, rounds)
    expect(findings).toEqual([])
    // Without these there was nothing to lose.
    expect(outcomes.get('POST 201')).toBeGreaterThan(0)
    if (database === 'file') expect(outcomes.get(LOCK_TAKEN)).toBeGreaterThan(0)
  })
})
