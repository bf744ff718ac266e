import { describe, expect, it } from 'vitest'
import { ask, runRsvp, type Site } from '#site/scenarios/fixtures.ts'
import { cookieOf, guardedSite, PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'

const forged = 'f'.repeat(43)
const cleared = 'rsvp-session=deleted; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict'

const site = guardedSite()

async function isSignedIn(at: Site, cookie: string): Promise<boolean> {
  const { status, headers } = await ask(at, 'GET /api/settings', { headers: { cookie } })
  // A good one stays as it is.
  if (status === 200) expect(headers['set-cookie']).toBeUndefined()
  const { body } = await ask(at, 'GET /api/session', { headers: { cookie } })
  expect(JSON.parse(body)).toEqual({ mode: 'guarded', signedIn: status === 200 })
  return status === 200
}

describe('a cookie', () => {
  it('is for this host, for no script and for no other site, for 180 days', async () => {
    const reply = await ask(site(), 'POST /api/session', { json: { password: PASSWORD } })
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^rsvp-session=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/),
      // By which the browser is known for 90 days; it opens nothing.
      expect.stringMatching(/^rsvp-device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  // When a session ends is proved in db; what each route refuses to a visitor, in roles.test.ts.
  it.each<[string, () => Promise<string> | string]>([
    ['forged', () => `rsvp-session=${forged}`],
    [
      'from before the password changed',
      async () => {
        const cookie = await signIn(site())
        for (const password of ['another one for a moment', PASSWORD]) await runRsvp(site(), ['password'], password)
        return cookie
      },
    ],
  ])('that is %s gives no access and is cleared', async (_, make) => {
    const cookie = await make()
    for (const [call, status] of [['GET /admin', 401] as const, ['GET /share', 200] as const]) {
      const reply = await ask(site(), call, { headers: { cookie } })
      expect([reply.status, reply.headers['set-cookie']]).toEqual([status, [cleared]])
    }
    expect(await isSignedIn(site(), cookie)).toBe(false)
  })
})

describe('a cookie of a site at https', () => {
  const secure = guardedSite({ PUBLIC_URL: 'https://rsvp.example.org' })
  const host = 'rsvp.example.org'

  it('is bound to this very host, never sent in the clear, and cleared in the same way', async () => {
    const reply = await ask(secure(), 'POST /api/session', { json: { password: PASSWORD }, headers: { host } })
    expect(reply.headers['set-cookie']?.map((set) => set.split('; ').toSorted())).toEqual(
      ['Max-Age=15552000', 'Max-Age=7776000'].map((age) => [
        'HttpOnly',
        age,
        'Path=/',
        'SameSite=Strict',
        'Secure',
        expect.stringMatching(/^__Host-rsvp-\w+=[\w-]{43}$/),
      ]),
    )
    const cookie = cookieOf(reply)
    expect(await isSignedIn(secure(), cookie)).toBe(true)
    expect(await isSignedIn(secure(), cookie.replace('__Host-', ''))).toBe(false)
    const refused = await ask(secure(), 'GET /admin', { headers: { host, cookie: `__Host-rsvp-session=${forged}` } })
    expect([refused.status, refused.headers['set-cookie']]).toEqual([
      401,
      [`__Host-${cleared.replace('HttpOnly;', 'HttpOnly; Secure;')}`],
    ])
  })
})
