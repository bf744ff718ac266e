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
  ])('is never an error of the server: %s', async (query) => {
    expect([200, 400, 401]).toContain((await ask(site(), `GET /api/rsvps?${query}`)).status)
    expect([200, 400, 401]).toContain((await ask(site(), `HEAD /api/rsvps?${query}`)).status)
    await expectUnharmed(site(), 0)
  })
})
