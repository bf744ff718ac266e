import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { eventually } from '#site/scenarios/faults/fixtures.ts'
import { ask, expectProblem, type Site, testSite, withoutVariations } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'

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

describe('the public address in the settings', () => {
  const site = administeredSite()
  const change = (publicUrl: string | null, headers: Record<string, string> = {}) =>
    ask(site(), 'PATCH /api/settings', { json: { publicUrl }, headers })

  /** The site looks its address up once a second. */
  const isKnown = (address: string) =>
    eventually(async () =>
      expect((await ask(asVisitor(site()), 'GET /share')).body).toContain(`content="${address}/share"`),
    )

  it('is refused unless it leads to this very site', async () => {
    const other = createServer((_request, reply) => reply.end('another site')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    // As a proxy does for http: with that address no browser could change anything, because it is at another one.
    const passing = createServer((_request, reply) => reply.writeHead(308, { location: site().url }).end())
    await new Promise((resolve) => passing.listen(0, '127.0.0.1', () => resolve(undefined)))
    const refused: [string, RegExp][] = [
      [`http://127.0.0.1:${port}`, /does not lead to this site \(another site replied\)/],
      [`http://127.0.0.1:${(passing.address() as AddressInfo).port}`, /does not lead to this site/],
      ['http://127.0.0.1:9', /does not lead to this site \(\w+\)/],
      ['https://rsvp.example.org/share', /Give scheme and host only/],
      ['javascript:alert(1)', /Give scheme and host only/],
    ]
    for (const [address, reason] of refused) {
      const reply = await change(address)
      expectProblem(reply, 400)
      const message = expect.stringMatching(reason)
      expect(JSON.parse(reply.body)).toMatchObject({ errors: [{ path: 'publicUrl', message }] })
    }
    other.close()
    passing.close()
    const { body } = await ask(site(), 'GET /api/settings')
    expect(JSON.parse(body)).toMatchObject({ publicUrl: null })
  })

  it('is used from then on: for links, for the name of the site, and for where a request may come from', async () => {
    const { port } = new URL(site().url)
    // Another name that leads here.
    const address = `http://localhost:${port}`
    expect(await change(address)).toMatchObject({ status: 200 })
    await isKnown(address)
    const from = (origin: string) => ask(site(), 'PATCH /api/features', { json: {}, headers: { origin } })
    expect((await from(`http://127.0.0.1:${port}`)).status).toBe(403)
    // Without it the site would refuse what a browser at this address sends.
    const unknown = await change(null, { origin: address })
    expectProblem(unknown, 400)
    expect(JSON.parse(unknown.body)).toMatchObject({ errors: [{ path: 'publicUrl' }] })
    expect((await change(null)).status).toBe(200)
    await isKnown(site().url)
  })

  it('is changed by no one who could then no longer sign in, because passkeys belong to an address', async () => {
    inSiteDatabase(site(), (database) => database.exec('UPDATE administrators SET password_hash = NULL'))
    const reply = await change(site().url)
    expectProblem(reply, 400)
    expect(JSON.parse(reply.body)).toMatchObject({
      errors: [{ message: expect.stringContaining('Choose a password') }],
    })
  })
})
