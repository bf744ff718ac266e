import { beforeEach, describe, expect, it } from 'vitest'
import { waitText } from '#db/values/dates.ts'
import { ask, expectNothingRevealed, type Reply, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, PASSWORD, rowsByTable } from '#site/scenarios/guarded-fixtures.ts'
import { NO_OVERRIDES } from '../../../scripts/testing/overrides.mjs'

const WRONG = 'not the <right> one'

/** Behind a proxy, so that a test can come from wherever it likes. */
const site = guardedSite({ TRUSTED_PROXIES: '127.0.0.1' })

beforeEach(() => inSiteDatabase(site(), (database) => database.exec('DELETE FROM allowances')))

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
    expect(body).toContain('<form class="panel sign-in__form" method="post" action="/api/session">')
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
