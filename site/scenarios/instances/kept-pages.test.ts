import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, type Site } from '#site/scenarios/fixtures.ts'
import { PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { twoSites } from './fixtures.ts'

/** For so long an instance may show what was before another one wrote, in ms. */
const READ_TTL_MS = 1000
const NAMES = ['Zacharias', 'Bartholomew', 'Cornelius', 'Dorothea']

describe('pages that two instances keep', () => {
  const place = twoSites({ ADMIN_PASSWORD: PASSWORD })
  beforeAll(async () => {
    const [one] = place().sites
    const headers = { cookie: await signIn(one) }
    await ask(one, 'PATCH /api/settings', { json: { publicNames: 'full' }, headers })
  })

  it('show a write at once where it was made, and within a second at the other', async () => {
    const { sites } = place()
    const shown = async (site: Site) => (await ask(site, 'GET /')).body
    for (const [number, name] of NAMES.entries()) {
      const [here, there] = number % 2 === 0 ? sites : sites.toReversed()
      for (const site of [...sites, ...sites]) await shown(site)
      expect((await ask(here as Site, 'POST /api/rsvp', { json: testRsvp({ name }) })).status).toBe(201)
      expect(await shown(here as Site)).toContain(name)
      await wait(READ_TTL_MS)
      expect(await shown(there as Site)).toContain(name)
    }
  })
})
