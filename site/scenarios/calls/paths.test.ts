import { expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import {
  ask,
  exchange,
  expectNothingRevealed,
  expectProblem,
  expectUnharmed,
  type Reply,
  type Site,
  storedRsvps,
} from '#site/scenarios/fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/mode-fixtures.ts'

/** A request as it goes over the line, for addresses that a browser would tidy up. */
function bytes({ url, headers = {} }: Site, call: string): string {
  const lines = Object.entries({ host: new URL(url).host, connection: 'close', ...headers })
  return `${call} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

function expectNotFoundPage({ status, headers, body }: Reply): void {
  expect(status).toBe(404)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toContain('404 Page Not Found')
  expectNothingRevealed(body)
}

describeInBothModes('an address that does not exist', (site) => {
  it.each([
    '/nope',
    '/a/b/c',
    '/share/x',
    '/admin/x',
    '/share.html',
    '/index.html',
    '/index',
    '/404',
    '/500',
    '/_image',
    '/_image?href=/favicon.svg&f=svg',
    '/%5fimage?href=/favicon.svg',
    '/_server-islands/x',
    '/_actions/x',
    '/_astro/x.js',
    '/@vite/client',
    '/@fs/etc/passwd',
    '/.env',
    '/.git/config',
    '/.well-known/x',
    '/assets',
    '/assets/nope.js',
    '/assets/.env',
    '/server/entry.mjs',
    '/dist/server/entry.mjs',
    '/data/rsvp.db',
    '/rsvp.db',
    '/package.json',
    '/node_modules/astro/package.json',
    '/favicon.svg.br',
    '/favicon.svg.gz',
    '/favicon.svg/x',
    '/FAVICON.SVG',
  ])('%s is the 404 page', async (path) => {
    expectNotFoundPage(await ask(site(), `GET ${path}`))
    expect((await ask(site(), `HEAD ${path}`)).status).toBe(404)
    expect((await ask(site(), `POST ${path}`, { json: {} })).status).toBe(405)
  })

  it('is a 404 page in pieces of the static folder too', async () => {
    const page = (await ask(site(), 'GET /share')).body
    const asset = /\/assets\/[\w.-]+\.css/.exec(page)?.[0]
    expect((await ask(site(), `GET ${asset}`)).status).toBe(200)
    expectNotFoundPage(await ask(site(), `GET ${asset}.br`))
    expectNotFoundPage(await ask(site(), `GET ${asset}.map`))
  })
})

describeInBothModes('an address in disguise', (site, guarded) => {
  it.each([
    '/api/rsvps/1%5c..%5c..%5c..%5cshare',
    '/api/rsvps/1\\..\\..\\..\\share',
    '/api/rsvps/1%2f..%2f..%2f..%2fshare',
    '/api/rsvps/1%252f..%252fshare',
    '/api/rsvps/1/../1',
    '/api/rsvps/./1',
    '/api/rsvps//1',
    '//api/rsvps/1',
    '/api/rsvps/1;x',
    '/api/rsvps/1#x',
    '/api/rsvps/%31%00',
    '/share/../api/rsvps/1',
    '/share/%2e%2e/api/rsvps/1',
    '/api/rsvps/..%2frsvps/1',
  ])('deletes nothing: %s', async (path) => {
    await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers: { 'idempotency-key': 'the-only-one' } })
    const { status, text } = await exchange(site(), bytes(site(), `DELETE ${path}`))
    expect(status).toBe(400)
    expectNothingRevealed(text)
    expect((await storedRsvps(site())).map(({ id }) => id)).toEqual([1])
    await expectUnharmed(site(), 1)
  })

  it.each<[string, number]>([
    ['/admin/', 301],
    ['/admin//', 400],
    ['//admin', 400],
    ['/%61dmin', 200],
    ['/%2561dmin', 400],
    ['/./admin', 400],
    ['/share/../admin', 400],
    ['/share/%2e%2e/admin', 400],
    ['/share/..%2fadmin', 400],
    ['/\\admin', 400],
    ['/%5cadmin', 400],
    ['/admin%2f', 400],
    ['/ADMIN', 404],
    ['/Admin', 404],
    ['/admin;x=1', 400],
    ['/admin%3b', 404],
    ['/admin%20', 404],
    ['/admin%09', 404],
    ['/admin%0a', 404],
    ['/admin%00', 400],
    ['/admin%c0%af', 400],
    ['/admin?tab=settings&tab=share', 200],
    ['/admin?%ff', 200],
    ['/share?before=x', 200],
    ['/share?before=99999999999999999999', 200],
    ['/share?thanks', 200],
  ])('never breaks the server: %s is a %i', async (path, status) => {
    const reply = await exchange(site(), bytes(site(), `GET ${path}`))
    expect(reply.status).toBe(status)
    expectNothingRevealed(reply.text)
    if (guarded) {
      const visitor = await exchange(site(), bytes(asVisitor(site()), `GET ${path}`))
      expect(visitor.status).toBe(status === 200 && /dmin/.test(path) ? 401 : status)
      expect(visitor.text).not.toContain('RSVP Responses')
    }
    await expectUnharmed(site(), 1)
  })

  it('is an unknown call below /api', async () => {
    for (const path of ['/api/rsvp.ts', '/api/.env', '/api/RSVP', '/api/rsvps/1/x'])
      expectProblem(await ask(site(), `GET ${path}`), 404)
  })
})
