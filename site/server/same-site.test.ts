import { describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, type Site, testSite } from './fixtures.ts'

const TYPES = [
  undefined,
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-8',
]
const CALLS: [string, unknown?][] = [
  ['POST /api/rsvp', testRsvp()],
  ['POST /api/event', testEvent({ title: 'Taken over' })],
  ['PATCH /api/features', { familyRsvp: false }],
  ['POST /api/volunteer-roles', { name: 'Taken over' }],
  ['PATCH /api/volunteer-roles/1', { retired: true }],
  ['DELETE /api/rsvps/1'],
  ['POST /share', {}],
  ['PUT /api/event', {}],
  ['PATCH /nope', {}],
  ['DELETE /favicon.svg'],
]

/** Names and ports that are almost ours. */
function foreignOrigins({ url }: Site): string[] {
  const port = Number(new URL(url).port)
  return [
    'null',
    'https://evil.example',
    `http://127.0.0.1:${port - 1}`,
    `http://localhost:${port}`,
    `http://127.0.0.1.evil.example:${port}`,
  ]
}

async function expectUnchanged(site: Site, stored: number): Promise<void> {
  expect((await ask(site, 'GET /api/event')).body).toBe('null')
  expect((await ask(site, 'GET /api/features')).body).not.toContain('false')
  expect(JSON.parse((await ask(site, 'GET /api/volunteer-roles')).body)).toHaveLength(6)
  await expectUnharmed(site, stored)
}

describe.each<[string, Record<string, string>]>([
  ['on this computer only', {}],
  ['open to a network', { RSVP_ACCESS: 'open' }],
])('a change that another site asks for, %s', (_, variables) => {
  const site = testSite(variables)

  it.each(CALLS)('%s is refused from every origin with every content type', async (call, sent) => {
    if (call === 'POST /api/rsvp') expect((await ask(site(), call, { json: sent })).status).toBe(201)
    for (const origin of foreignOrigins(site())) {
      for (const type of TYPES) {
        const headers = { origin, ...(type && { 'content-type': type }) }
        expectProblem(await ask(site(), call, { body: JSON.stringify(sent) ?? '', headers }), 403)
      }
    }
    await expectUnchanged(site(), 1)
  })

  it.each(['cross-site', 'same-site', 'CROSS-SITE', 'nonsense'])(
    'is refused when the browser says %s',
    async (fetchSite) => {
      for (const [call, json] of CALLS) {
        const headers = { 'sec-fetch-site': fetchSite, origin: site().url, 'content-type': 'application/json' }
        expectProblem(await ask(site(), call, { body: JSON.stringify(json) ?? '', headers }), 403)
      }
      await expectUnchanged(site(), 1)
    },
  )

  it('is refused when it names two origins', async () => {
    const headers = { origin: `${site().url}, https://evil.example`, 'content-type': 'application/json' }
    expectProblem(await ask(site(), 'DELETE /api/rsvps/1', { headers }), 403)
    await expectUnchanged(site(), 1)
  })

  it('is no other site when the origin is ours, or when nothing is said', async () => {
    const own: Record<string, string>[] = [
      { origin: site().url, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      {},
    ]
    for (const headers of own) {
      expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers })).status).toBe(201)
    }
    await expectUnchanged(site(), 4)
  })
})

describe('behind a public address', () => {
  const site = testSite({ RSVP_ACCESS: 'open', PUBLIC_URL: 'https://rsvp.example.org' })

  it('compares the origin with that address, whatever the Host says', async () => {
    const own = { origin: 'https://rsvp.example.org', host: 'rsvp.example.org' }
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers: own })).status).toBe(201)
    const foreign: Record<string, string>[] = [
      { origin: 'http://rsvp.example.org', host: 'rsvp.example.org' },
      { origin: site().url },
    ]
    for (const headers of foreign)
      expectProblem(await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers }), 403)
    await expectUnharmed(site(), 1)
  })
})
