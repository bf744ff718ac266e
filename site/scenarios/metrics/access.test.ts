import { describe, expect, it } from 'vitest'
import { ask, exchange, type Reply, testSite, withoutVariations } from '#site/scenarios/fixtures.ts'
import { guardedSite } from '#site/scenarios/guarded-fixtures.ts'

const TOKEN = 'a-token-may-hold-~-and-+'
const SHOWN = 'rsvp_build_info'

const open = testSite()
const withToken = guardedSite({ METRICS_TOKEN: TOKEN })

const elsewhere: Record<string, string>[] = [
  { 'x-forwarded-for': '127.0.0.1' },
  { via: '1.0 proxy' },
  { 'cf-connecting-ip': '127.0.0.1' },
  { host: '192.168.1.20' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.example' },
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

  it('are for this computer, and only read', async () => {
    for (const host of ['localhost:4321', '127.0.0.1', '[::1]:4321']) {
      const reply = await get('/metrics', { host })
      expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      expect(reply.body).toContain(SHOWN)
    }
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'PROPFIND'])
      expect((await ask(site(), `${method} /metrics`)).headers.allow).toBe('GET, HEAD')
  })

  it('are not there for who comes from elsewhere, nor at another address, nor with a wrong token', async () => {
    for (const headers of elsewhere) {
      for (const sent of [headers, { ...headers, authorization: `Bearer ${wrong}` }])
        expectHidden(await get('/metrics', sent), await get('/nothing', sent))
      expect((await ask(site(), 'HEAD /metrics', { headers })).status).toBe(404)
    }
    const { text } = await exchange(site(), 'GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 404 /)
    for (const written of ['//metrics', '/%2e/metrics', '/metrics/', '/metrics%2f', '/METRICS', '/metrics;x=1'])
      expect((await get(written)).body).not.toContain(SHOWN)
  })
})

it('the token of the metrics opens them from anywhere, and nothing else', async () => {
  for (const given of elsewhere) {
    const headers = { ...given, authorization: `Bearer ${TOKEN}` }
    expect((await ask(withToken(), 'GET /metrics', { headers })).body).toContain(SHOWN)
    expect((await ask(withToken(), 'GET /api/settings', { headers })).status).toBe(401)
  }
})

it('the metrics of an open site are for this computer, and no one else is served', async () => {
  expect((await ask(open(), 'GET /metrics')).body).toContain(SHOWN)
  for (const headers of elsewhere) expect((await ask(open(), 'GET /metrics', { headers })).status).toBe(421)
})
