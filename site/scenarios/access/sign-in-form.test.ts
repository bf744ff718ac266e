import { beforeEach, describe, expect, it } from 'vitest'
import { ask, expectNothingRevealed, type Reply, testSite } from '#site/scenarios/fixtures.ts'
import { cookieOf, guardedSite, inSiteDatabase, PASSWORD } from '#site/scenarios/guarded-fixtures.ts'

const site = guardedSite()

beforeEach(() =>
  inSiteDatabase(site(), (database) => database.exec('DELETE FROM sign_in_attempts; DELETE FROM allowances')),
)

function post(fields: Record<string, string>, headers: Record<string, string> = {}, at = site()): Promise<Reply> {
  return ask(at, 'POST /api/session', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

/** The page with the form, with this sentence beside the field. */
function expectForm({ status, headers, body }: Reply, expected: number, sentence?: string): void {
  expect(status).toBe(expected)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['content-security-policy']).toContain("form-action 'self'")
  expect(body).toContain('<form class="panel sign-in__form" method="post" action="/api/session">')
  expect(body).toMatch(
    /<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128"/,
  )
  expect(body).not.toContain('class="admin')
  const shown = /id="password-error">(?:<svg.*?<\/svg>)?\s*(.*?)\s*<\/p>/s.exec(body)?.[1]
  expect(shown).toBe(sentence)
  expect(body.includes('aria-invalid="true"')).toBe(sentence !== undefined)
  expectNothingRevealed(body)
}

describe('signing in without JavaScript', () => {
  it.each(['/admin', '/admin?tab=settings', '/admin/sheet?week=next', '/admin/poster', '/%61dmin'])(
    'finds the form at %s',
    async (path) => {
      expectForm(await ask(site(), `GET ${path}`), 401)
      expect(await ask(site(), `HEAD ${path}`)).toMatchObject({ status: 401, body: '' })
    },
  )

  it('has the form at no other address', async () => {
    expect(await ask(site(), 'GET /sign-in')).toMatchObject({
      status: 404,
      body: expect.stringContaining('404 Page Not Found'),
    })
  })

  it('leads to the administration, and from there out again', async () => {
    const entered = await post({ username: 'administrator', password: PASSWORD })
    expect(entered).toMatchObject({ status: 303, headers: { location: '/admin' }, body: '' })
    const headers = { cookie: cookieOf(entered) }
    const admin = await ask(site(), 'GET /admin', { headers })
    expect(admin.status).toBe(200)
    expect(admin.headers['cache-control']).toBe('no-store')
    expect(admin.body).toMatch(
      /<form method="post" action="\/api\/session">\s*<button [^>]*name="action" value="sign-out">/,
    )
    const left = await post({ action: 'sign-out' }, headers)
    expect(left).toMatchObject({ status: 303, headers: { location: '/' }, body: '' })
    expect(left.headers['set-cookie']).toEqual([
      expect.stringMatching(/^rsvp-session=deleted; .*Expires=Thu, 01 Jan 1970/),
    ])
    expectForm(await ask(site(), 'GET /admin', { headers }), 401)
  })

  it.each(['/admin/sheet?week=next&messages=no', '/admin/poster'])(
    'leads on to the page that was asked for, and to no other one: %s',
    async (address) => {
      const asked = (await ask(site(), `GET ${address}${address.includes('?') ? '&' : '?'}x=//evil.example`)).body
      const view = /name="view" value="([^"]*)"/.exec(asked)?.[1]?.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
      const entered = await post({ password: PASSWORD, view: view ?? '' })
      expect(entered).toMatchObject({ status: 303, headers: { location: address } })
    },
  )

  it('says that what was typed into the sheet without a session is not stored', async () => {
    const body = new URLSearchParams({ date: '2025-01-04', turnout: '87' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await ask(site(), 'POST /admin/sheet?week=2025-01-04', { body, headers })
    expectForm(
      reply,
      401,
      'You were signed out meanwhile, so what you entered is not stored. Sign in, then enter it once more.',
    )
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['wrong', { password: 'not the <right> one' }, 401, 'The password is wrong. Try again.'],
    ['empty', { password: '' }, 400, 'Type the password.'],
    ['missing', {}, 400, 'Type the password.'],
    ['too long', { password: 'x'.repeat(129) }, 400, 'A password has at most 128 characters.'],
  ])('shows the form again where the password is %s', async (_, fields, status, sentence) => {
    const reply = await post(fields)
    expectForm(reply, status, sentence)
    expect(reply.body).not.toMatch(/right.{0,4} one|xxx/)
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('shows the form again where there were too many wrong ones, and says how long to wait', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post({ password: 'not the right one' })))
    const others = replies.filter(({ status }) => status !== 401)
    expect(others.length).toBeGreaterThan(0)
    for (const reply of others) {
      const wait = Number(reply.headers['retry-after'])
      expect(wait).toBeGreaterThan(0)
      const time = `${wait} ${wait === 1 ? 'second' : 'seconds'}`
      expectForm(reply, 429, `Too many wrong passwords. Wait ${time}, then try again.`)
    }
  })

  it('is not for the forms of other sites', async () => {
    expect((await post({ password: PASSWORD }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ action: 'sign-out' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  it('refuses more than fits in a form', async () => {
    expect((await post({ password: 'x'.repeat(1024 * 1024) })).status).toBe(413)
  })
})

describe('signing in where no password is set', () => {
  const open = testSite()

  it('says so', async () => {
    expectForm(
      await post({ password: PASSWORD }, {}, open()),
      404,
      'No admin password is set. Set one with `npx rsvp password`.',
    )
  })
})
