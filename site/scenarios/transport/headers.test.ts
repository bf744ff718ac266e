import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, assetPaths, exchange, READING_CALLS, type Site } from '#site/scenarios/fixtures.ts'
import { guardedSite, PASSWORD } from '#site/scenarios/guarded-fixtures.ts'
import { expectSecurityHeaders, headersIn } from '#site/scenarios/header-fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

type Row = [call: string, status: number | [open: number, visitor: number], sent?: Parameters<typeof ask>[2]]

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const preflight = { 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'content-type' }

const ROWS: Row[] = [
  ['GET /', 200],
  ['GET /share', 200],
  ['GET /privacy', 200],
  ['GET /admin', [200, 401]],
  ['GET /sign-in', 404],
  ['HEAD /share', 200],
  ['HEAD /admin', [200, 401]],
  ['GET /nope', 404],
  ['GET /admin/', 301],
  ['GET /favicon.svg', 200],
  ['GET /favicon.svg', 304, { headers: { 'if-modified-since': 'Fri, 31 Dec 2100 23:59:59 GMT' } }],
  ['GET /favicon.svg', 206, { headers: { range: 'bytes=0-9' } }],
  ['GET /favicon.svg', 400, { headers: { range: 'bytes=999999-' } }],
  ['GET /fonts/fraunces-LICENSE.txt', 200],
  ['GET /robots.txt', 200],
  ['GET /api/rsvps', 200],
  ['GET /api/rsvps?limit=x', 400],
  ['GET /api/rsvps/download', [200, 401]],
  ['GET /api/event', 200],
  ['GET /api/session', 200],
  ['GET /api/settings', [200, 401]],
  ['GET /api/health', 200],
  ['GET /api/nope', 404],
  ['DELETE /api/rsvps/1', [404, 401]],
  ['POST /api/session', [404, 401], { json: { password: 'not the right one' } }],
  ['POST /api/session', [404, 401], { headers: form, body: 'password=not+the+right+one' }],
  ['DELETE /api/session', 204],
  ['POST /api/rsvp', 201, { json: testRsvp(), headers: { 'idempotency-key': 'the-only-one' } }],
  ['POST /api/rsvp', 415],
  ['POST /api/rsvp', 400, { headers: json, body: '{' }],
  ['POST /api/rsvp', 400, { headers: form, body: 'name=A' }],
  ['POST /api/rsvp', 413, { headers: json, body: 'x'.repeat(70_000) }],
  ['POST /api/rsvp', 415, { headers: { 'content-encoding': 'gzip' }, body: '{}' }],
  ['PUT /share', 405],
  ['OPTIONS /api/rsvps/1', 405, { headers: preflight }],
  ['GET /share', 421, { headers: { host: 'evil.example' } }],
  ['POST /api/rsvp', 403, { headers: { origin: 'https://evil.example' } }],
  ['POST /api/session', 403, { headers: { origin: 'null' } }],
  ['GET //admin', 400],
]

const BROKEN: [string, number, string][] = [
  ['a bad escape', 400, 'GET /%zz HTTP/1.1\r\nHost: HOST'],
  ['a NUL', 400, 'GET /a\0b HTTP/1.1\r\nHost: HOST'],
  ['no Host', 400, 'GET /share HTTP/1.1'],
  ['an unknown method', 400, 'BREW /share HTTP/1.1\r\nHost: HOST'],
  ['no HTTP', 400, 'nothing that is HTTP'],
  ['two lengths', 400, 'GET /share HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nTransfer-Encoding: chunked'],
  ['long headers', 431, `GET /share HTTP/1.1\r\nHost: HOST\r\nX-A: ${'a'.repeat(9000)}`],
  ['a long address', 414, `GET /${'a'.repeat(2048)} HTTP/1.1\r\nHost: HOST`],
]

describe.each<[string, boolean, Record<string, string>]>([
  ['without a public address', false, {}],
  ['with an https address', true, { RSVP_ACCESS: 'open', PUBLIC_URL: 'https://rsvp.example.org' }],
])('the security headers %s', (_, secure, variables) => {
  const run = (site: () => Site, guarded: boolean) => {
    it.each(ROWS)('are on %s with %j', async (call, status, sent) => {
      const [open, visitor] = typeof status === 'number' ? [status, status] : status
      const reply = await ask(asVisitor(site()), call, sent)
      expect(reply).toMatchObject({ status: guarded ? visitor : open })
      expectSecurityHeaders(reply.headers, { secure })
      if (/ \/(api\/|admin$)/.test(call)) expect(reply.headers['cache-control']).toBe('no-store')
      // Signing out clears the cookie, whether or not there is one.
      if (call !== 'DELETE /api/session') expect(reply.headers).not.toHaveProperty('set-cookie')
    })

    it.each(BROKEN)('are on what hardly was a request, with %s: %i', async (_what, expected, lines) => {
      const request = lines.replace('HOST', new URL(site().url).host)
      const { status, text } = await exchange(site(), `${request}\r\nConnection: close\r\n\r\n`)
      expect(status).toBe(expected)
      expectSecurityHeaders(headersIn(text), { secure })
    })

    it('are on what only an administrator gets', async () => {
      for (const call of ['GET /admin', 'GET /api/settings', 'GET /api/rsvps/download', 'DELETE /api/rsvps/999']) {
        const { status, headers } = await ask(site(), call)
        expect(status).toBe(call.startsWith('DELETE') ? 404 : 200)
        expectSecurityHeaders(headers, { secure })
      }
    })
  }
  describeInBothModes('of every reply', run, variables)
})

describe('the security headers with an http address', () => {
  const site = guardedSite({ PUBLIC_URL: 'http://rsvp.example.org' })

  it('do not ask for https', async () => {
    expectSecurityHeaders((await ask(site(), 'GET /share')).headers)
  })
})

describe('the security headers of a guarded site', () => {
  const site = guardedSite({
    RSVP_POST_LIMIT: '1/1',
    PUBLIC_URL: 'https://rsvp.example.org',
    ...withOverrides({ REQUEST_DEADLINE_MS: 1500 }),
  })

  it('are on a 429', async () => {
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    const { status, headers } = await ask(site(), 'POST /api/rsvp', { json: testRsvp() })
    expect({ status, cache: headers['cache-control'] }).toEqual({ status: 429, cache: 'no-store' })
    expectSecurityHeaders(headers, { secure: true })
  })

  it('are where a session begins and ends', async () => {
    for (const sent of [{ json: { password: PASSWORD } }, { headers: form, body: `password=${PASSWORD}` }]) {
      const { status, headers } = await ask(site(), 'POST /api/session', sent)
      expect(status).toBe('json' in sent ? 204 : 303)
      expect(headers['cache-control']).toBe('no-store')
      expectSecurityHeaders(headers, { secure: true })
    }
  })

  it('are on a 503', async () => {
    const script = join(import.meta.dirname, '../../../scripts/testing/lock-database.mjs')
    const holder = spawn(process.execPath, [script, join(site().folder, 'rsvp.db'), '60000', '60000'])
    try {
      await once(holder.stdout, 'data')
      const calls = ['/', '/share', '/admin', '/api/rsvps', '/api/health', '/api/settings']
      const cookie = `__Host-rsvp-session=${'a'.repeat(43)}`
      const asked = calls.map((path) => ask(site(), `GET ${path}`, { headers: { cookie } }))
      for (const { status, headers } of await Promise.all(asked)) {
        expect(status).toBe(503)
        expect(headers).not.toHaveProperty('set-cookie')
        expectSecurityHeaders(headers, { secure: true })
      }
    } finally {
      holder.kill('SIGKILL')
      await once(holder, 'close')
    }
  })
})

describeInBothModes('caches', (site) => {
  const ruleOf = async (caller: Site, path: string) => (await ask(caller, `GET ${path}`)).headers['cache-control']

  it('keep assets for ever, other files for an hour, pages never unasked, calls not at all', async () => {
    const assets = await assetPaths(site())
    expect(assets.length).toBeGreaterThan(2)
    for (const path of assets) expect(await ruleOf(site(), path)).toBe('public, max-age=31536000, immutable')
    for (const path of ['/favicon.svg', '/robots.txt', '/fonts/fraunces-LICENSE.txt'])
      expect(await ruleOf(site(), path)).toBe('public, max-age=3600')
    for (const path of ['/', '/share', '/privacy', '/nope'])
      expect(await ruleOf(site(), path)).toBe('private, no-cache')
    for (const caller of [site(), asVisitor(site())]) {
      for (const path of [...READING_CALLS, '/api/session', '/api/settings', '/admin', '/api/nope'])
        expect([path, await ruleOf(caller, path)]).toEqual([path, 'no-store'])
    }
  })

  it('ask again with an ETag and get a 304 for a file', async () => {
    const { headers } = await ask(site(), 'GET /favicon.svg')
    const again = { headers: { 'if-none-match': String(headers.etag) } }
    expect(await ask(site(), 'GET /favicon.svg', again)).toMatchObject({ status: 304, body: '' })
  })
})
