import { describe, expect, it } from 'vitest'
import { ask, exchange, type Reply, testSite, withoutVariations } from '#site/scenarios/fixtures.ts'
import { guardedSite } from '#site/scenarios/guarded-fixtures.ts'

const TOKEN = 'a-token-may-hold-~-and-+'
const SHOWN = 'rsvp_build_info'

const elsewhere: [string, Record<string, string>][] = [
  ['through a proxy that claims to be here', { 'x-forwarded-for': '127.0.0.1' }],
  ['through an old proxy', { via: '1.0 proxy' }],
  ['through one that says so in its own way', { 'cf-connecting-ip': '127.0.0.1' }],
  ['by another name', { host: '192.168.1.20' }],
  ['from a page elsewhere', { 'sec-fetch-site': 'cross-site' }],
  ['from another origin', { origin: 'https://evil.example' }],
]

/** Nothing tells that there are metrics: it is the reply to an address that does not exist. */
function expectHidden(reply: Reply, unknown: Reply): void {
  expect(reply.status).toBe(404)
  expect(withoutVariations(reply.body).replaceAll('/metrics', '/nothing')).toBe(withoutVariations(unknown.body))
  // Whether the connection goes on says nothing of the address.
  const namesOf = ({ headers: { connection: _, 'keep-alive': __, ...headers } }: Reply) => Object.keys(headers)
  expect(namesOf(reply)).toEqual(namesOf(unknown))
}

describe.each<[string, Record<string, string>, string]>([
  ['without a token', {}, 'undefined'],
  ['with a token', { METRICS_TOKEN: TOKEN }, `${TOKEN}=`],
])('the metrics of a guarded site %s', (_, variables, wrong) => {
  const site = guardedSite(variables)
  const get = (path: string, headers: Record<string, string> = {}) => ask(site(), `GET ${path}`, { headers })

  it.each(['localhost:4321', '127.0.0.1', '[::1]:4321'])('are for this computer, called %s', async (host) => {
    const reply = await get('/metrics', { host })
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(reply.body).toContain(SHOWN)
  })

  it.each(elsewhere)('are not there %s, nor with a wrong token', async (_, headers) => {
    for (const sent of [headers, { ...headers, authorization: `Bearer ${wrong}` }])
      expectHidden(await get('/metrics', sent), await get('/nothing', sent))
    expect((await ask(site(), 'HEAD /metrics', { headers })).status).toBe(404)
  })

  it('are not there for an old proxy that says nothing of itself', async () => {
    const { text } = await exchange(site(), 'GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('are only read', async () => {
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
      expect((await ask(site(), `${method} /metrics`)).headers.allow).toBe('GET, HEAD')
  })

  it.each(['//metrics', '/%2e/metrics', '/x/../metrics', '/metrics/', '/metrics%2f', '/METRICS', '/metrics;x=1'])(
    'are not shown at %s',
    async (written) => expect((await get(written)).body).not.toContain(SHOWN),
  )
})

describe('the token of the metrics', () => {
  const site = guardedSite({ METRICS_TOKEN: TOKEN })

  it.each(elsewhere)('opens them %s, and nothing else', async (_, given) => {
    const headers = { ...given, authorization: `Bearer ${TOKEN}` }
    expect((await ask(site(), 'GET /metrics', { headers })).body).toContain(SHOWN)
    expect((await ask(site(), 'GET /api/settings', { headers })).status).toBe(401)
  })
})

describe('the metrics of an open site', () => {
  const site = testSite()

  it('are for this computer, and no one else is served', async () => {
    expect((await ask(site(), 'GET /metrics')).body).toContain(SHOWN)
    for (const [as, headers] of elsewhere)
      expect([as, (await ask(site(), 'GET /metrics', { headers })).status]).toEqual([as, 421])
  })
})
