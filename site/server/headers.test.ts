import { describe, expect, it } from 'vitest'
import { ask, assetPaths, exchange, READING_CALLS, testSite } from './fixtures.ts'

const site = testSite()

describe('the security headers', () => {
  it.each<[string, number, Record<string, string>?, string?]>([
    ['GET /', 200],
    ['GET /share', 200],
    ['GET /admin', 200],
    ['HEAD /share', 200],
    ['GET /nope', 404],
    ['GET /admin/', 301],
    ['GET /favicon.svg', 200],
    ['GET /fonts/fraunces-latin.woff2', 200],
    ['GET /robots.txt', 200],
    ['GET /api/rsvps', 200],
    ['GET /api/rsvps/download', 200],
    ['GET /api/event', 200],
    ['GET /api/nope', 404],
    ['DELETE /api/rsvps/1', 404],
    ['POST /api/rsvp', 415],
    ['POST /api/rsvp', 400, { 'content-type': 'application/json' }, '{'],
    ['POST /api/rsvp', 400, { 'content-type': 'application/x-www-form-urlencoded' }, 'name=A'],
    ['POST /api/rsvp', 413, { 'content-type': 'application/json' }, 'x'.repeat(70_000)],
    ['POST /api/rsvp', 415, { 'content-encoding': 'gzip' }, '{}'],
    ['PUT /share', 405],
    ['GET /share', 421, { host: 'evil.example' }],
    ['POST /api/rsvp', 403, { origin: 'https://evil.example' }],
    ['GET //admin', 400],
  ])('are on %s with %i', async (call, status, headers = {}, body) => {
    const answer = await ask(site(), call, { headers, ...(body !== undefined && { body }) })
    expect(answer).toMatchObject({
      status,
      headers: {
        'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      },
    })
    for (const name of [
      'server',
      'x-powered-by',
      'access-control-allow-origin',
      'set-cookie',
      'strict-transport-security',
    ])
      expect(answer.headers).not.toHaveProperty(name)
  })

  it.each(['GET /%zz HTTP/1.1', 'GET /a\0b HTTP/1.1'])('are on what never became a request: %j', async (line) => {
    const { text } = await exchange(site(), `${line}\r\nHost: ${new URL(site().url).host}\r\nConnection: close\r\n\r\n`)
    expect(text).toContain('HTTP/1.1 400')
    expect(text).toMatch(/content-security-policy: default-src 'none';frame-ancestors 'none'/i)
    expect(text).toMatch(/x-content-type-options: nosniff/i)
  })

  it('let a page load only what it names by hash', async () => {
    for (const path of ['/', '/share', '/admin', '/nope']) {
      const policy = String((await ask(site(), `GET ${path}`)).headers['content-security-policy'])
      expect(policy).toMatch(/script-src 'self' 'sha256-/)
      expect(policy).not.toMatch(/unsafe-(inline|eval).*script|script-src[^;]*unsafe/)
    }
  })
})

describe('a site with an https address', () => {
  const secure = testSite({ RSVP_ACCESS: 'open', PUBLIC_URL: 'https://rsvp.example.org' })

  it('asks browsers to come back by https only', async () => {
    expect((await ask(secure(), 'GET /share')).headers['strict-transport-security']).toContain('max-age=31536000')
  })
})

describe('caches', () => {
  it('keep assets for ever, other files for an hour, pages never unasked, calls not at all', async () => {
    const cacheOf = async (path: string) => (await ask(site(), `GET ${path}`)).headers['cache-control']
    const assets = await assetPaths(site())
    expect(assets.length).toBeGreaterThan(3)
    for (const path of assets) expect(await cacheOf(path)).toBe('public, max-age=31536000, immutable')
    for (const path of ['/favicon.svg', '/robots.txt', '/fonts/fraunces-latin.woff2'])
      expect(await cacheOf(path)).toBe('public, max-age=3600')
    for (const path of ['/', '/share', '/nope']) expect(await cacheOf(path)).toBe('private, no-cache')
    for (const path of [...READING_CALLS, '/admin', '/api/nope']) expect(await cacheOf(path)).toBe('no-store')
  })

  it('ask again with an ETag and get a 304 for a file', async () => {
    const { headers } = await ask(site(), 'GET /favicon.svg')
    expect(await ask(site(), 'GET /favicon.svg', { headers: { 'if-none-match': String(headers.etag) } })).toMatchObject(
      { status: 304, body: '' },
    )
  })
})
