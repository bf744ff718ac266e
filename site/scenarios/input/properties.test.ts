import { describe, expect, it } from 'vitest'
import { testSite } from '#site/scenarios/fixtures.ts'
import { fuzzSite, GUARDED } from '../../../lab/fuzz/requests.ts'

// `npm run lab -- fuzz` sends many more, with other seeds.
describe.each([
  { mode: 'open', guarded: false, variables: {} },
  { mode: 'guarded', guarded: true, variables: GUARDED },
])('the $mode server', ({ guarded, variables }) => {
  const site = testSite(variables)

  it('replies to whatever it is sent, in time and without an internal error', async () => {
    const { findings } = await fuzzSite(site(), { seed: 1, requests: 400, messages: 80, guarded })
    expect(findings).toEqual([])
  })
})
