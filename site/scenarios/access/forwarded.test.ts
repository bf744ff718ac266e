import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, type Site, withoutVariations } from '#site/scenarios/fixtures.ts'
import { guardedSite, PASSWORD } from '#site/scenarios/guarded-fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/mode-fixtures.ts'

const PUBLIC_URL = 'https://rsvp.example.org'
const LIES: Record<string, string>[] = [
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example, rsvp.example.org', 'x-forwarded-proto': 'https' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-proto': 'http' },
  { 'x-forwarded-ssl': 'on', 'front-end-https': 'on' },
  { 'x-forwarded-port': '8443' },
  { 'x-forwarded-prefix': '/evil' },
  { forwarded: 'for=203.0.113.9;host=evil.example;proto=https' },
  { 'x-forwarded-server': 'evil.example', 'x-host': 'evil.example', 'x-original-host': 'evil.example' },
  { 'x-original-url': '/admin', 'x-rewrite-url': '/admin' },
  { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', 'x-client-ip': '::1', 'cf-connecting-ip': '127.0.0.1' },
]

/** The same as an administered site, with which it shares a server. */
const unlimitedSite = (variables: Record<string, string> = {}) => guardedSite({ RSVP_POST_LIMIT: 'off', ...variables })

/** The reply with a page, without the parts that differ in every rendering. */
async function pageOf(site: Site, path: string, headers: Record<string, string>) {
  const { status, headers: received, body } = await ask(site, `GET ${path}`, { headers })
  // The tag of a page differs after each rendering, as its text does.
  const { date: _date, etag: _etag, ...told } = received
  const text = withoutVariations(body)
  return { status, headers: { ...told, 'content-length': '' }, text }
}

describe.each<[string, string | undefined, Record<string, string>]>([
  ['no configured address', undefined, {}],
  ['a public address', PUBLIC_URL, { PUBLIC_URL }],
  ['a public address behind a proxy that is trusted', PUBLIC_URL, { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' }],
])('forwarding headers to a guarded site with %s', (_, address, variables) => {
  const site = administeredSite(variables)
  const origin = () => address ?? site().url
  const paths = ['/', '/share', '/admin', '/privacy', '/nope', '/admin/', '/api/rsvps?limit=1']
  const pages = (caller: Site, headers: Record<string, string>) =>
    Promise.all(paths.map(async (path) => [path, await pageOf(caller, path, headers)]))

  it('shows the same pages to whoever says such things', async () => {
    for (const caller of [site(), asVisitor(site())]) {
      const honest = await pages(caller, {})
      for (const lie of LIES) expect([lie, await pages(caller, lie)]).toEqual([lie, honest])
    }
  })

  it('hands out links to its own address only', async () => {
    for (const headers of [{}, ...LIES]) {
      const { body } = await ask(site(), 'GET /admin', { headers })
      expect(body).toContain(`${origin()}/share`)
      expect(body).not.toContain('evil.example')
    }
  })

  it('sets the same cookies for whoever says such things', async () => {
    const secure = address !== undefined
    const expected = secure
      ? /^__Host-rsvp-(session|device)=[\w-]+; (?!.*Domain).*Secure/
      : /^rsvp-(session|device)=[\w-]+; (?!.*(Secure|Domain))/
    const attempts = [
      { call: 'POST /api/session', sent: { json: { password: PASSWORD }, headers: { 'x-forwarded-proto': 'https' } } },
      { call: 'POST /api/session', sent: { json: { password: PASSWORD }, headers: { 'x-forwarded-proto': 'http' } } },
      ...LIES.map((headers) => ({ call: 'DELETE /api/session', sent: { headers } })),
    ]
    for (const { call, sent } of attempts) {
      const reply = await ask(asVisitor(site()), call, sent)
      expect(reply.status).toBe(204)
      const set = reply.headers['set-cookie'] ?? []
      expect(set).toEqual(Array(call === 'DELETE /api/session' ? 1 : 2).fill(expect.stringMatching(expected)))
    }
  })

  it('takes no other method and no other address from a header', async () => {
    const { body } = await ask(asVisitor(site()), 'POST /api/rsvp', { json: testRsvp() })
    const path = `/api/rsvps/${JSON.parse(body).id}`
    for (const headers of LIES) {
      expectProblem(await ask(site(), `POST ${path}`, { headers }), 405)
      expectProblem(await ask(site(), `GET ${path}?_method=DELETE`, { headers }), 405)
    }
    expect((await ask(site(), `DELETE ${path}`)).status).toBe(204)
  })
})

describe('a guarded site that trusts no proxy', () => {
  const site = unlimitedSite()
  const names = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'true-client-ip', 'cf-connecting-ip', 'x-client-ip']
  const claims = (number: number) =>
    Object.fromEntries(names.map((name) => [name, `${name === 'forwarded' ? 'for=' : ''}203.0.113.${number}`]))

  it('counts wrong passwords by the connection, whatever address is claimed', async () => {
    const statuses: number[] = []
    // Each of them from an address of its own. A busy machine compares so slowly that one more is allowed meanwhile.
    for (let number = 1; number <= 40 && !statuses.includes(429); number++) {
      const sent = { json: { password: 'not the right one' }, headers: claims(number) }
      statuses.push((await ask(site(), 'POST /api/session', sent)).status)
    }
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(401))
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('whoever follows a link to a guarded site', () => {
  const site = unlimitedSite()

  it.each<Record<string, string>>([
    { referer: 'https://mail.example/' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
    { origin: 'null' },
    { via: '1.1 proxy' },
  ])('reads what is public, with %o', async (headers) => {
    expect((await ask(site(), 'GET /share', { headers })).status).toBe(200)
    expect((await ask(site(), 'GET /admin', { headers })).status).toBe(401)
  })
})

const LOCAL = [
  'localhost',
  'localhost:1234',
  '127.0.0.1',
  '192.168.1.20:4321',
  '[fe80::1]:4321',
  'church',
  'rsvp.local',
]
const FOREIGN = [
  'evil.example',
  'example.org',
  'www.rsvp.example.org',
  'rsvp.example.org.evil.example',
  'rsvp.example.org:8443',
  'xrsvp.example.org',
  'localhost.evil.example',
  '192.168.1.20.evil.example',
  'rsvp.local.evil.example',
]

describe.each<[string, Record<string, string>, string[], string[]]>([
  [
    'with a public address',
    { PUBLIC_URL },
    ['rsvp.example.org', 'rsvp.example.org:443', 'RSVP.Example.org', ...LOCAL],
    FOREIGN,
  ],
  ['without a public address', {}, LOCAL, ['rsvp.example.org', ...FOREIGN]],
])('a guarded site %s', (_, variables, known, foreign) => {
  const site = unlimitedSite(variables)

  it.each(known)('accepts the host name %s', async (host) => {
    expect((await ask(site(), 'GET /share', { headers: { host } })).status).toBe(200)
    expect((await ask(site(), 'GET /admin', { headers: { host } })).status).toBe(401)
  })

  it.each(foreign)('rejects the host name %s', async (host) => {
    const headers = { host, 'x-forwarded-host': 'rsvp.example.org' }
    const calls = [
      'GET /',
      'GET /share',
      'GET /favicon.svg',
      'GET /api/rsvps',
      'OPTIONS /api/rsvps',
      'DELETE /api/rsvps/1',
    ]
    for (const call of calls) expectProblem(await ask(site(), call, { headers }), 421)
    const signIn = await ask(site(), 'POST /api/session', { json: { password: PASSWORD }, headers })
    expectProblem(signIn, 421)
    expect(signIn.headers).not.toHaveProperty('set-cookie')
  })
})

describe.each<[string, Record<string, string>, string]>([
  ['of a client', {}, 'timeout=10'],
  ['of a proxy', { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' }, 'timeout=75'],
])('an idle connection %s', (_, variables, kept) => {
  const site = unlimitedSite(variables)

  // Proxies use one for a minute, and some send a request on it in the moment it is closed.
  it('is kept for as long as it has to be', async () => {
    const { headers } = await ask(site(), 'GET /share', { headers: { connection: 'keep-alive' } })
    expect(headers['keep-alive']).toContain(kept)
  })
})
