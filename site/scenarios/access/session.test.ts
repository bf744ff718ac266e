import { describe, expect, it } from 'vitest'
import { waitText } from '#db/values/dates.ts'
import { ask, expectNothingRevealed, type Reply, runRsvp, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { cookieOf, guardedSite, PASSWORD, rowsByTable, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { NO_OVERRIDES } from '#testing/overrides.mjs'

const WRONG = 'not the <right> one'
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

describe('the form to sign in', () => {
  it.each([
    ['/admin/sheet?week=2026-11-14', '/admin/sheet?week=2026-11-14'],
    ...['//evil.example', 'https://evil.example/admin', '/admin.evil.example', '/share', ''].map((next) => [
      next,
      '/admin',
    ]),
  ])('that was asked for at %j leads to %s', async (next, location) => {
    const reply = await ask(site(), 'POST /api/session', { form: { password: PASSWORD, next: String(next) } })
    expect(reply).toMatchObject({ status: 303, headers: { location } })
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

/** As in `Wait 2 minutes`: what a refusal says is what its header says. */
function toWait({ headers }: Reply): string {
  return `Wait ${waitText(Number(headers['retry-after']))}`
}

describe('a password of the product', () => {
  const real = guardedSite(NO_OVERRIDES)

  it('is hashed at the cost that the guidance asks for', () => {
    const hash = /"\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}"/
    expect(JSON.stringify(rowsByTable(real()).administrators)).toMatch(hash)
  })
})

describe('signing in without JavaScript', () => {
  const open = testSite()
  const post = (form: Record<string, string>, headers: Record<string, string> = {}, at = site()) =>
    ask(at, 'POST /api/session', { form, headers })

  /** The page with the form, with this sentence beside the field. */
  function expectForm({ status, headers, body }: Reply, expected: number, sentence?: string): void {
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      expected,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(headers['content-security-policy']).toContain("form-action 'self'")
    expect(body).toContain('<form class="column" method="post" action="/api/session">')
    expect(body).toMatch(/<input id="password" name="password"[^>]* type="password" autocomplete="current-password"/)
    expect(body).not.toContain('class="admin')
    expect(/id="password-error">(?:<svg.*?<\/svg>)?\s*(.*?)\s*<\/p>/s.exec(body)?.[1]).toBe(sentence)
    expect(body.includes('aria-invalid="true"')).toBe(sentence !== undefined)
    expectNothingRevealed(body)
  }

  it('says that what was typed into the sheet without a session is not stored', async () => {
    const form = { date: '2025-01-04', turnout: '87' }
    const sentence =
      'You were signed out meanwhile, so what you entered is not stored. Sign in, then enter it once more.'
    expectForm(await ask(site(), 'POST /admin/sheet?week=2025-01-04', { form }), 401, sentence)
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['wrong', { password: WRONG }, 401, 'The password is wrong. Try again.'],
    ['missing', {}, 400, 'Type the password.'],
    ['too long', { password: 'x'.repeat(129) }, 400, 'A password has at most 128 characters.'],
  ])('shows the form again where the password is %s', async (_, fields, status, sentence) => {
    const reply = await post(fields)
    expectForm(reply, status, sentence)
    expect(reply.body).not.toMatch(/right.{0,4} one|xxx/)
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('shows the form again where there were too many wrong ones, and where none is set', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post({ password: WRONG })))
    const refused = replies.find(({ status }) => status !== 401) as Reply
    expectForm(refused, 429, `Too many wrong passwords. ${toWait(refused)}, then try again.`)
    const none = 'This site has no administrator yet. Guard it first.'
    expectForm(await post({ password: PASSWORD }, {}, open()), 404, none)
  })
})
