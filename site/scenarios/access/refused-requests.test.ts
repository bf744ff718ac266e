import { beforeAll, describe, expect, it } from 'vitest'
import { ask, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import {
  cookieOf,
  deviceOf,
  guardedSite,
  inSiteDatabase,
  PASSWORD,
  rowsByTable,
  signIn,
} from '#site/scenarios/guarded-fixtures.ts'

// What each route refuses to a visitor, and keeps from one, is proved for all of them in roles.test.ts.

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

/** Other ways to write what only an administrator gets; the guard of the path has a table of its own. */
const disguises: [call: string, status: number][] = [
  ['GET /admin/', 301],
  ['GET /%61dmin', 401],
  ['GET /admin?tab=settings&tab=share', 401],
  ['GET /admin?%ff', 401],
  ['HEAD /admin', 401],
  ...['/admin%2f', '/share/../admin', 'http://HOST/admin', '//evil.example/admin'].map((path): [string, number] => [
    `GET ${path}`,
    400,
  ]),
  ...['/ADMIN', '/admin%3b', '/admin%20', '/admin%0a', '/admin.html', '/%ef%bd%81dmin', '/%d0%b0dmin', '/admin~'].map(
    (path): [string, number] => [`GET ${path}`, 404],
  ),
  ...['/api/rsvps/1%2f..%2f..%2f..%2fshare', '/api/rsvps/1;x', '/api/rsvps/..%2frsvps/1'].map(
    (path): [string, number] => [`DELETE ${path}`, 400],
  ),
]

function send(site: Site, call: string, headers: Record<string, string> = {}): Promise<Reply> {
  // It would change something, if it were let through.
  const json = /^(GET|HEAD)/.test(call) ? undefined : { publicNames: 'full' }
  return ask(site, call.replace('HOST', new URL(site.url).host), { json, headers })
}

/** Expects these statuses, no secret in any reply, and nothing changed by any of them. */
async function expectRefused(site: Site, requests: [string, number, Record<string, string>?][]): Promise<void> {
  const before = lastingRows(site)
  for (const [call, expected, headers] of requests) {
    const reply = await send(site, call, headers)
    expect([call, headers, reply.status]).toEqual([call, headers, expected])
    expect(reply.body + JSON.stringify(reply.headers)).not.toMatch(SECRET)
  }
  expect(lastingRows(site)).toEqual(before)
}

/** Without the session that is over, which maintenance removes soon after the start. */
function lastingRows(site: Site) {
  const { sessions = [], ...others } = rowsByTable(site)
  const isOver = (session: unknown) => Number(Reflect.get(Object(session), 'used_at')) < Date.now() - 1e9
  return { ...others, sessions: sessions.filter((session) => !isOver(session)) }
}

describe('a request that no administrator of a guarded site made', () => {
  const site = guardedSite({ RSVP_POST_LIMIT: 'off' })
  const otherSite = guardedSite()
  const visitors: Record<string, Record<string, string>> = {}
  let administrator: Record<string, string>

  beforeAll(async () => {
    const signedOut = await signIn(site())
    await ask(site(), 'DELETE /api/session', { headers: { cookie: signedOut } })
    const expired = await signIn(site())
    inSiteDatabase(site(), (database) =>
      database.exec('UPDATE sessions SET used_at = used_at - 30 * 24 * 60 * 60 * 1000'),
    )
    const entered = await ask(site(), 'POST /api/session', { json: { password: PASSWORD } })
    const valid = cookieOf(entered)
    administrator = { cookie: valid }
    const tokenOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)
    const cookies = {
      forged: `rsvp-session=${'f'.repeat(43)}`,
      'nothing in it': 'rsvp-session=',
      injected: `rsvp-session=' OR 1=1 --`,
      cut: valid.slice(0, -1),
      longer: `${valid}A`,
      expired,
      'signed out': signedOut,
      'of another site': await signIn(otherSite()),
      'of the browser alone': `${deviceOf(entered)}; rsvp-session=${tokenOf(deviceOf(entered))}`,
      'of another name': `__Host-rsvp-session=${tokenOf(valid)}`,
    }
    for (const [name, cookie] of Object.entries(cookies)) visitors[name] = { cookie }
    const basic = Buffer.from(`administrator:${PASSWORD}`).toString('base64')
    Object.assign(visitors, {
      'with the token elsewhere': { authorization: `Bearer ${tokenOf(valid)}`, 'x-rsvp-session': tokenOf(valid) },
      'with the password': { authorization: `Basic ${basic}` },
      'from this computer': { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '::1' },
      'for another address': { 'x-original-url': '/admin', 'x-rewrite-url': '/admin', 'x-astro-path': '/admin' },
      'with another method': { 'x-http-method-override': 'DELETE', 'x-method-override': 'PATCH' },
      'past the middleware': { 'x-astro-locals': '{"open":true}', 'x-middleware-subrequest': 'middleware' },
    })
    for (const name of [canaries.name, 'Kanarie-deleted Cole'])
      expect((await ask(site(), 'POST /api/rsvp', { json: { ...canaries, name } })).status).toBe(201)
    expect((await ask(site(), 'DELETE /api/rsvps/2', { headers: administrator })).status).toBe(204)
  })

  it('would be found out: an administrator is shown all of it', async () => {
    for (const path of ['/admin', '/api/rsvps', '/api/rsvps/download'])
      expect((await ask(site(), `GET ${path}`, { headers: administrator })).body).toMatch(/kanarie-name/i)
    expect((await ask(site(), 'GET /api/rsvps')).body).toContain('Ana K.')
  })

  it('is refused whoever it claims to be from', async () => {
    const calls = ['GET /admin', 'GET /api/rsvps/download', 'DELETE /api/rsvps/1', 'PATCH /api/settings']
    await expectRefused(
      site(),
      Object.values(visitors).flatMap((headers) =>
        calls.map((call): [string, number, Record<string, string>] => [call, 401, headers]),
      ),
    )
  })

  it('is refused however its address is written', () => expectRefused(site(), disguises))
})
