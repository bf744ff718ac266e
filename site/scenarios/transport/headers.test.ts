import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { holdLock } from '#site/scenarios/faults/fixtures.ts'
import { ask, assetPaths, exchange, READING_CALLS, type Sent, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, guardedSite } from '#site/scenarios/guarded-fixtures.ts'
import { expectSecurityHeaders, headersIn } from '#site/scenarios/header-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'
import { withOverrides } from '#testing/overrides.mjs'

const PUBLIC_URL = 'https://rsvp.example.org'
/** Bytes: a script that only names another one is shorter than its compressed form. */
const WORTHWHILE = 200
const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

/** What a visitor gets of a guarded site. */
const ROWS: [call: string, status: number, sent?: Sent][] = [
  ['GET /admin', 401],
  ['GET /admin/', 301],
  ['GET /nope', 404],
  ['GET /favicon.svg', 200],
  ['GET /favicon.svg', 304, { headers: { 'if-modified-since': 'Fri, 31 Dec 2100 23:59:59 GMT' } }],
  ['GET /api/rsvps', 200],
  ['OPTIONS /api/rsvps/1', 405, { headers: { 'access-control-request-method': 'DELETE' } }],
  ['POST /api/session', 401, { form: { password: 'not the right one' } }],
  ['POST /api/rsvp', 201, { json: testRsvp() }],
  ['POST /api/rsvp', 400, { form: { name: 'A' } }],
  ['POST /api/rsvp', 413, { json: 'x'.repeat(70_000) }],
  ['POST /api/rsvp', 403, { headers: { origin: 'https://evil.example' } }],
  ['GET /share', 421, { headers: { host: 'evil.example' } }],
]
const BROKEN: [number, string][] = [
  [400, 'GET /%zz HTTP/1.1\r\nHost: HOST'],
  [400, 'nothing that is HTTP'],
  [431, `GET /share HTTP/1.1\r\nHost: HOST\r\nX-A: ${'a'.repeat(9000)}`],
]

describe.each<[string, boolean, Record<string, string>]>([
  ['without a public address', false, {}],
  ['with an https address', true, { PUBLIC_URL }],
])('the security headers %s', (_, secure, variables) => {
  const site = administeredSite(variables)

  it('are on every reply, whatever it is', async () => {
    for (const [call, status, sent] of ROWS) {
      const reply = await ask(asVisitor(site()), call, sent)
      expect([call, reply.status]).toEqual([call, status])
      expectSecurityHeaders(reply.headers, { secure })
      if (/ \/(api\/|admin$)/.test(call)) expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.headers).not.toHaveProperty('set-cookie')
    }
    for (const call of ['GET /admin', 'GET /api/rsvps/download'])
      expectSecurityHeaders((await ask(site(), call)).headers, { secure })
    for (const [expected, lines] of BROKEN) {
      const request = lines.replace('HOST', new URL(site().url).host)
      const { status, text } = await exchange(site(), `${request}\r\nConnection: close\r\n\r\n`)
      expect(status).toBe(expected)
      expectSecurityHeaders(headersIn(text), { secure })
    }
  })
})

describe('the security headers of a guarded site', () => {
  const overrides = withOverrides({ REQUEST_DEADLINE_MS: 500 })
  const site = guardedSite({ RSVP_POST_LIMIT: '1/1', PUBLIC_URL, ...overrides })

  it('are on a 503', async () => {
    await holdLock(join(site().folder, 'rsvp.db'))
    const headers = { cookie: `__Host-rsvp-session=${'a'.repeat(43)}` }
    const paths = ['/', '/share', '/admin', '/api/rsvps', '/api/health', '/api/settings']
    for (const reply of await Promise.all(paths.map((path) => ask(site(), `GET ${path}`, { headers })))) {
      expect(reply.status).toBe(503)
      expect(reply.headers).not.toHaveProperty('set-cookie')
      expectSecurityHeaders(reply.headers, { secure: true })
    }
  })
})

describe('caches', () => {
  const site = administeredSite()
  const ruleOf = async (caller: Site, path: string) => (await ask(caller, `GET ${path}`)).headers['cache-control']

  it('keep assets for ever, other files for an hour, pages never unasked, calls not at all', async () => {
    const assets = await assetPaths(site())
    expect(assets.length).toBeGreaterThan(2)
    for (const path of assets) expect(await ruleOf(site(), path)).toBe('public, max-age=31536000, immutable')
    for (const path of ['/favicon.svg', '/robots.txt', '/fonts/fraunces-LICENSE.txt'])
      expect(await ruleOf(site(), path)).toBe('public, max-age=3600')
    for (const path of ['/', '/share', '/privacy', '/nope'])
      expect(await ruleOf(site(), path)).toBe('private, no-cache')
    const administration = ['', '/poster', '/prayers', '/sheet'].map((page) => `/admin${page}`)
    for (const caller of [site(), asVisitor(site())])
      for (const path of [...READING_CALLS, '/api/session', '/api/settings', ...administration, '/api/nope'])
        expect([path, await ruleOf(caller, path)]).toEqual([path, 'no-store'])
  })
})

describe('compression', () => {
  const site = testSite()

  // That of pages is in ../kept-pages.test.ts.
  it('of assets was done once, by the build, and of lists is done on the way out', async () => {
    await ask(site(), 'POST /api/rsvp', { json: testRsvp({ message: 'Grüße '.repeat(100) }) })
    for (const path of [...(await assetPaths(site())), '/api/rsvps', '/api/rsvps/download'])
      for (const encoding of ['br', 'gzip']) {
        const plain = await ask(site(), `GET ${path}`)
        if (plain.bytes.length < WORTHWHILE) continue
        const packed = await ask(site(), `GET ${path}`, { headers: { 'accept-encoding': encoding } })
        expect([path, packed.headers['content-encoding']]).toEqual([path, encoding])
        expect(packed.headers.vary).toMatch(/accept-encoding/i)
        // A known length: it was not compressed on the way out.
        if (path.startsWith('/assets')) expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
        expect(DECODERS[encoding]?.(packed.bytes).equals(plain.bytes)).toBe(true)
      }
  })
})
