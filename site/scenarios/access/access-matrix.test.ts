import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, type Reply, type Site, testSite } from '#site/scenarios/fixtures.ts'
import {
  cookieOf,
  deviceOf,
  guardedSite,
  inSiteDatabase,
  rowsByTable,
  setPassword,
  signIn,
} from '#site/scenarios/guarded-fixtures.ts'
import { addressOf, builtRoutes } from '#site/scenarios/route-fixtures.ts'
import { accessTo } from '#site/server/access/access.ts'
import { disguisesOf } from './disguises-fixtures.ts'

const READING = ['GET', 'HEAD', 'OPTIONS', 'TRACE']
const METHODS = [...READING, 'POST', 'PATCH', 'DELETE', 'PUT']
const addresses = builtRoutes.map(addressOf)
const NEW_PASSWORD = 'the words after those'

/** What only an administrator may read; the first name is public. */
const canaries = {
  name: 'Ana Kanarie-name',
  email: 'kanarie-email@example.org',
  phone: 'kanarie-phone',
  message: 'kanarie-message',
  attending: true,
  familyMembers: [{ name: 'Kanarie-member Kanarie-cole', age: 'teen', attending: true }],
  volunteerRoles: [1],
  website: 'kanarie-website',
}
const SECRET = /kanarie|hidden-field|too-fast|scrypt\$|class="admin|Sign Out|Delete Selected/i

/** What would change something, if it were let through. */
const bodies: Record<string, unknown> = {
  '/api/church': { name: 'Intruder', accent: '#000000' },
  '/api/event': { title: 'x', subtitle: 'x', description: 'x', date: 'x', time: 'x', location: 'x' },
  '/api/event/translations': { language: 'ko' },
  '/api/event/translations/es': { title: 'Intruso' },
  '/api/features': { familyRsvp: false },
  '/api/settings': { publicNames: 'full', retentionDays: 1 },
  '/api/volunteer-roles': { name: 'Intruder' },
  '/api/volunteer-roles/1': { name: 'Intruder', retired: true },
}

type Attempt = { method: string; address: string; written?: string; as?: string; headers?: Record<string, string> }

describe('an unauthenticated request to a guarded site', () => {
  const site = guardedSite({ RSVP_POST_LIMIT: 'off' })
  const otherSite = guardedSite()
  const visitors: Record<string, Record<string, string>> = { anonymous: {} }
  let administrator: Record<string, string>
  const methods = (address: string) => METHODS.map((method) => ({ method, address }))

  beforeAll(async () => {
    const old = await signIn(site())
    await setPassword(site(), NEW_PASSWORD)
    const enter = () => signIn(site(), { password: NEW_PASSWORD })
    const signedOut = await enter()
    await ask(site(), 'DELETE /api/session', { headers: { cookie: signedOut } })
    const expired = await enter()
    inSiteDatabase(site(), (database) => database.exec('UPDATE sessions SET used_at = used_at - 3 * 60 * 60 * 1000'))
    const entered = await ask(site(), 'POST /api/session', { json: { password: NEW_PASSWORD } })
    const valid = cookieOf(entered)
    administrator = { cookie: valid }
    const token = tokenOf(valid)
    const cookies = {
      forged: `rsvp-session=${randomBytes(32).toString('base64url')}`,
      'nothing in it': 'rsvp-session=',
      injected: `rsvp-session=' OR 1=1 --`,
      cut: valid.slice(0, -1),
      longer: `${valid}A`,
      expired,
      'signed out': signedOut,
      'before the password changed': old,
      'of another site': await signIn(otherSite()),
      'of the browser alone': `${deviceOf(entered)}; rsvp-session=${tokenOf(deviceOf(entered))}`,
      'of another name': `__Host-rsvp-session=${token}`,
    }
    for (const [name, cookie] of Object.entries(cookies)) visitors[name] = { cookie }
    Object.assign(visitors, {
      'with the token elsewhere': { authorization: `Bearer ${token}`, 'x-rsvp-session': token },
      'with the password': {
        authorization: `Basic ${Buffer.from(`administrator:${NEW_PASSWORD}`).toString('base64')}`,
      },
      'from this computer': { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '::1' },
      'for another address': { 'x-original-url': '/admin', 'x-rewrite-url': '/admin', 'x-astro-path': '/admin' },
      'with another method': { 'x-http-method-override': 'DELETE', 'x-method-override': 'PATCH' },
      'past the middleware': { 'x-astro-locals': '{"open":true}', 'x-middleware-subrequest': 'middleware' },
    })
    await storeCanaries(site(), administrator)
  })

  it('would be found out: an administrator is shown all of it', async () => {
    for (const path of ['/admin', '/api/rsvps', '/api/rsvps/download'])
      expect((await ask(site(), `GET ${path}`, { headers: administrator })).body).toMatch(/kanarie-name/i)
    expect((await ask(site(), 'GET /admin', { headers: administrator })).body).toMatch(/class="admin/)
    expect((await ask(site(), 'GET /api/rsvps')).body).toContain('Ana K.')
  })

  it('is told nothing and changes nothing, in every tenth of 20,000 requests and more', async () => {
    const { host } = new URL(site().url)
    const plain = addresses.flatMap((address) =>
      Object.entries(visitors).flatMap(([as, headers]) => methods(address).map((call) => ({ ...call, as, headers }))),
    )
    const disguised = addresses.flatMap((address) =>
      disguisesOf(address, host).flatMap((written) => methods(address).map((call) => ({ ...call, written }))),
    )
    const both = Object.entries({ '/admin': 'GET', '/api/rsvps/1': 'DELETE' }).flatMap(([address, method]) =>
      disguisesOf(address, host).flatMap((written) =>
        Object.entries(visitors).map(([as, headers]) => ({ method, address, written, as, headers })),
      ),
    )
    const attempts = [...plain, ...disguised, ...both].filter(isPossible)
    expect(attempts.length).toBeGreaterThan(20_000)
    const before = rowsByTable(site())
    expect(await leaks(site(), partOf(attempts))).toEqual([])
    expect(rowsByTable(site())).toEqual(before)
  })

  it('is refused with a 401 whatever only an administrator may do', async () => {
    const refused = builtRoutes.flatMap((route) =>
      METHODS.filter((method) => accessTo(route, method) === 'administrator').map((method) => [
        method,
        addressOf(route),
      ]),
    )
    expect(refused.length).toBeGreaterThan(10)
    for (const [method, address] of refused)
      for (const headers of Object.values(visitors))
        expect(await ask(site(), `${method} ${address}`, { headers })).toMatchObject({ status: 401 })
  })
})

describe('a remote request to a site in open mode', () => {
  const site = testSite()
  const origins: Record<string, Record<string, string>> = {
    'by another name': { host: 'rsvp.example.org' },
    'through a proxy': { 'x-forwarded-for': '203.0.113.7' },
    'through an old proxy': { via: '1.0 proxy' },
    'from a page elsewhere': { 'sec-fetch-site': 'cross-site' },
    'from another origin': { origin: 'https://evil.example' },
    'from a link elsewhere': { referer: 'https://evil.example/' },
  }

  beforeAll(() => storeCanaries(site(), {}))

  it('is told nothing and changes nothing, in every tenth of 3,000 requests and more', async () => {
    const { host } = new URL(site().url)
    const attempts = addresses.flatMap((address) =>
      Object.entries(origins).flatMap(([as, headers]) => [
        ...METHODS.map((method) => ({ method, address, as, headers })),
        ...(as === 'through a proxy' ? disguisesOf(address, host) : []).flatMap((written) =>
          ['GET', 'DELETE'].map((method) => ({ method, address, written, as, headers })),
        ),
      ]),
    )
    expect(attempts.length).toBeGreaterThan(3000)
    const before = rowsByTable(site())
    expect(await leaks(site(), partOf(attempts))).toEqual([])
    expect(rowsByTable(site())).toEqual(before)
  })
})

/** Another tenth each time; all of them in `npm run test:long -- sweep`. */
function partOf(attempts: Attempt[]): Attempt[] {
  if (process.env.SWEEP === 'whole') return attempts
  const first = Math.floor(Math.random() * 10)
  return attempts.filter((_, place) => place % 10 === first)
}

function tokenOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1)
}

async function storeCanaries(site: Site, headers: Record<string, string>): Promise<void> {
  for (const name of [canaries.name, 'Kanarie-deleted Cole'])
    await ask(site, 'POST /api/rsvp', {
      json: { ...canaries, name },
      headers: { 'idempotency-key': `kanarie-${name.length}` },
    })
  expect((await ask(site, 'DELETE /api/rsvps/2', { headers })).status).toBe(204)
}

function isPossible({ method, address, written = address, as }: Attempt): boolean {
  // Every visitor may sign out, which also deletes the row of an expired session.
  if (`${method} ${address} ${as}` === 'DELETE /api/session expired') return false
  // Not HTTP: it is refused before anything knows that a HEAD wants no body, which this client does not take.
  return method !== 'HEAD' || /^(\/|http:)/.test(written)
}

/** The attempts whose reply revealed or changed something. */
async function leaks(site: Site, attempts: Attempt[]) {
  const inTurn = pLimit(24)
  const replies = attempts.map((attempt) =>
    inTurn(async () => {
      const { method, address, written = address, as, headers } = attempt
      const json = READING.includes(method) || method === 'DELETE' ? undefined : (bodies[address] ?? {})
      const reply = await ask(site, `${method} ${written}`, { json, headers })
      return isHarmless(attempt, reply)
        ? []
        : [{ method, written, as, status: reply.status, body: reply.body.slice(0, 200) }]
    }),
  )
  return (await Promise.all(replies)).flat()
}

function isHarmless({ method, address }: Attempt, { status, headers, body }: Reply): boolean {
  if (SECRET.test(body) || SECRET.test(JSON.stringify(headers)) || status >= 500) return false
  const signsOut = method === 'DELETE' && address === '/api/session'
  return READING.includes(method) || signsOut || status >= 300
}
