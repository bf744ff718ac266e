import { describe, expect, it } from 'vitest'
import { ask, expectProblem, type Site, testSite, withoutVariations } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'

// Which hosts and headers are whose is decided by the guard, whose test has them all.

const PUBLIC_URL = 'https://rsvp.example.org'
const LIES: Record<string, string>[] = [
  {
    'x-forwarded-host': 'evil.example, rsvp.example.org',
    'x-forwarded-proto': 'https',
    'x-forwarded-server': 'evil.example',
    'x-original-host': 'evil.example',
    'x-forwarded-port': '8443',
    'x-forwarded-prefix': '/evil',
    'front-end-https': 'on',
  },
  { forwarded: 'for=203.0.113.9;host=evil.example;proto=http', 'x-forwarded-proto': 'http', 'x-host': 'evil.example' },
  {
    'x-original-url': '/admin',
    'x-rewrite-url': '/admin',
    'x-http-method-override': 'DELETE',
    'x-forwarded-for': '127.0.0.1',
    'x-real-ip': '127.0.0.1',
    'cf-connecting-ip': '127.0.0.1',
  },
]

/** The reply with a page, without what differs in every rendering: its tag as its text does. */
async function pageOf(site: Site, path: string, headers: Record<string, string>) {
  const { status, headers: received, body } = await ask(site, `GET ${path}`, { headers })
  const { date: _date, etag: _etag, 'content-length': _length, ...told } = received
  return { status, told, text: withoutVariations(body) }
}

describe('a guarded site with a public address behind a proxy that is trusted', () => {
  const site = administeredSite({ PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' })

  it('changes no page for forwarding headers, and no link in it', async () => {
    for (const caller of [site(), asVisitor(site())])
      for (const path of ['/share', '/admin', '/admin/', '/api/rsvps?limit=1']) {
        const honest = await pageOf(caller, path, {})
        for (const lie of LIES) expect([lie, await pageOf(caller, path, lie)]).toEqual([lie, honest])
      }
    expect((await ask(site(), 'GET /admin', { headers: LIES[0] })).body).toContain(`${PUBLIC_URL}/share`)
  })

  // Proxies use one for a minute, and some send a request on it in the moment it is closed.
  it('keeps an idle connection for as long as it has to', async () => {
    const { headers } = await ask(site(), 'GET /share', { headers: { connection: 'keep-alive' } })
    expect(headers['keep-alive']).toContain('timeout=75')
  })
})

describe('open mode on this computer', () => {
  const site = testSite()

  it('serves nothing, and says why, to whom the guard refuses, and all else', async () => {
    const headers = { 'x-forwarded-anything': '127.0.0.1' }
    for (const call of ['GET /admin', 'GET /favicon.svg', 'OPTIONS /api/rsvps', 'TRACE /admin'])
      expectProblem(await ask(site(), call, { headers }), 421)
    expect(JSON.parse((await ask(site(), 'GET /admin', { headers })).body).detail).toBe(
      'In open mode this site answers only on this computer, at http://localhost. To share it, guard it there first, at /guard.',
    )
    for (const headers of [{}, { host: '[::1]:80' }] as Record<string, string>[])
      expect((await ask(site(), 'GET /admin', { headers })).status).toBe(200)
  })
})
