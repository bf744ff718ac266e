import { describe, expect, it } from 'vitest'
import { testSite } from '#site/scenarios/fixtures.ts'
import { fuzzSite, GUARDED } from '../../../lab/fuzz/site.ts'

// `npm run fuzz` sends many more.
describe.each([
  { mode: 'open', guarded: false, variables: {} },
  { mode: 'guarded', guarded: true, variables: GUARDED },
])('the $mode server', ({ guarded, variables }) => {
  const site = testSite(variables)

  it('replies to whatever it is sent, in time and without an internal error', async () => {
    const seed = Date.now() % 2 ** 31
    const { findings } = await fuzzSite(site(), { seed, requests: 400, messages: 80, guarded })
    expect({ seed, findings }).toEqual({ seed, findings: [] })
  })
})
