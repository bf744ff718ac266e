import { describe, expect, it } from 'vitest'
import { ask, expectUnharmed, testSite } from '#site/scenarios/fixtures.ts'

describe('a query of a visitor for the list', () => {
  const site = testSite({ ADMIN_PASSWORD: 'a password for tests' })

  it.each([
    'email=',
    'email=x',
    'email=a@b.co/',
    'deleted=',
    'deleted=x',
    'deleted=true&email=x',
    'email=x&email=y',
    'q=ana',
    'role=x',
    'q=',
    'same=0',
  ])('is never an error of the server: %s', async (query) => {
    expect([200, 400, 401]).toContain((await ask(site(), `GET /api/rsvps?${query}`)).status)
    expect([200, 400, 401]).toContain((await ask(site(), `HEAD /api/rsvps?${query}`)).status)
    await expectUnharmed(site(), 0)
  })

  it.each(['q=ana', 'role=1', 'suspicious=true', 'same=1', 'deleted=true'])(
    'is refused to visitors where only an administrator may look for it: %s',
    async (query) => {
      for (const path of ['', '/download', '/print'])
        expect((await ask(site(), `GET /api/rsvps${path}?${query}`)).status, path).toBe(401)
    },
  )
})
