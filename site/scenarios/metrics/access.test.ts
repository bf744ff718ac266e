import { describe, expect, it } from 'vitest'
import { disguisesOf } from '#site/scenarios/access/disguises-fixtures.ts'
import { ask, exchange, type Reply, testSite, withoutVariations } from '#site/scenarios/fixtures.ts'
import { guardedSite } from '#site/scenarios/guarded-fixtures.ts'

const TOKEN = 'a token may hold ~ and +'.replaceAll(' ', '-')
const SHOWN = 'rsvp_build_info'

const elsewhere: Record<string, Record<string, string>> = {
  'through a proxy': { 'x-forwarded-for': '203.0.113.7' },
  'through a proxy that claims to be here': { 'x-forwarded-for': '127.0.0.1' },
  'through an old proxy': { via: '1.0 proxy' },
  'through one that says so in its own way': { 'cf-connecting-ip': '127.0.0.1' },
  'by another name': { host: '192.168.1.20' },
  'from a page elsewhere': { 'sec-fetch-site': 'cross-site' },
  'from another origin': { origin: 'https://evil.example' },
}

/** Nothing tells that there are metrics: it is the reply to an address that does not exist. */
function expectHidden(reply: Reply, unknown: Reply): void {
  expect(reply.status).toBe(404)
  expect(withoutVariations(reply.body).replaceAll('/metrics', '/nothing')).toBe(withoutVariations(unknown.body))
  // Whether the connection goes on says nothing of the address.
  const namesOf = ({ headers: { connection: _, 'keep-alive': __, ...headers } }: Reply) => Object.keys(headers)
  expect(namesOf(reply)).toEqual(namesOf(unknown))
}

describe.each<[string, Record<string, string>]>([
  ['without a token', {}],
  ['with a token', { METRICS_TOKEN: TOKEN }],
])('the metrics of a guarded site %s', (_, variables) => {
  const site = guardedSite(variables)

  it('are for this computer', async () => {
    for (const host of ['localhost:4321', '127.0.0.1', '[::1]:4321']) {
      const reply = await ask(site(), 'GET /metrics', { headers: { host } })
      expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      expect(reply.body).toContain(SHOWN)
    }
    expect(await ask(site(), 'HEAD /metrics')).toMatchObject({ status: 200, body: '' })
  })

  it.each(Object.entries(elsewhere))('are not there %s', async (_, headers) => {
    expectHidden(await ask(site(), 'GET /metrics', { headers }), await ask(site(), 'GET /nothing', { headers }))
    expect((await ask(site(), 'HEAD /metrics', { headers })).status).toBe(404)
  })

  it('are not there for an old proxy that says nothing of itself', async () => {
    const { text } = await exchange(site(), 'GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('are only read', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
      for (const headers of [{}, ...Object.values(elsewhere)]) {
        const reply = await ask(site(), `${method} /metrics`, { headers })
        expect(reply.status === 403 || reply.headers.allow === 'GET, HEAD').toBe(true)
        expect(reply.body).not.toContain(SHOWN)
      }
  })

  it('are not shown under any other address', async () => {
    const { host } = new URL(site().url)
    const disguises = disguisesOf('/metrics', host).filter((written) => !/^\/metrics(\?|$)/.test(written))
    expect(disguises.length).toBeGreaterThan(50)
    for (const written of disguises) {
      const headers = { 'x-forwarded-for': '203.0.113.7' }
      expect((await ask(site(), `GET ${written}`, { headers })).body, written).not.toContain(SHOWN)
      expect((await ask(site(), `GET ${written}`)).body, written).not.toContain(SHOWN)
    }
  })
})

describe('the metrics of a site with a token', () => {
  const site = guardedSite({ METRICS_TOKEN: TOKEN })

  it.each(Object.entries(elsewhere))('are for whoever has it, also %s', async (_, given) => {
    const headers = { ...given, authorization: `Bearer ${TOKEN}` }
    expect((await ask(site(), 'GET /metrics', { headers })).body).toContain(SHOWN)
  })

  it.each([TOKEN.slice(1), `${TOKEN}=`, TOKEN.toUpperCase(), 'x'])('are not there for %s', async (token) => {
    for (const given of [{}, ...Object.values(elsewhere)]) {
      const headers = { ...given, authorization: `Bearer ${token}` }
      expectHidden(await ask(site(), 'GET /metrics', { headers }), await ask(site(), 'GET /nothing', { headers }))
    }
  })

  it('open nothing else', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await ask(site(), 'GET /api/settings', { headers })).status).toBe(401)
  })
})

describe('the metrics of a site without a token', () => {
  const site = guardedSite()

  it('are opened by none', async () => {
    for (const token of ['undefined', TOKEN, '""'])
      for (const given of Object.values(elsewhere)) {
        const headers = { ...given, authorization: `Bearer ${token}` }
        expect((await ask(site(), 'GET /metrics', { headers })).status).toBe(404)
      }
  })
})

describe('the metrics of an open site', () => {
  const site = testSite()

  it('are for this computer, and no one else is served', async () => {
    expect((await ask(site(), 'GET /metrics')).body).toContain(SHOWN)
    for (const [as, headers] of Object.entries(elsewhere))
      expect([as, (await ask(site(), 'GET /metrics', { headers })).status]).toEqual([as, 421])
  })
})
