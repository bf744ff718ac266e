import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
import { guardedSite, rowsByTable, signIn } from '#site/scenarios/guarded-fixtures.ts'

const CALL = 'POST /api/answer/link'
const site = guardedSite({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@cole.example' })
const withoutMail = guardedSite()
const known = { email: 'ana@cole.example' }

describe('the private link by mail', () => {
  it('is asked for with the same reply whether the address is known or not', async () => {
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp(known) })).status).toBe(201)
    const replies = async (sent: { json: object } | { form: Record<string, string> }) => {
      const { status, headers, body } = await ask(site(), CALL, sent)
      const { date: _, 'x-request-id': __, ...rest } = headers
      return [status, rest, body]
    }
    const unknown = { email: 'bea@roe.example' }
    const json = await replies({ json: known })
    expect(json).toMatchObject([204, {}, ''])
    expect(await replies({ json: unknown })).toEqual(json)
    const form = await replies({ form: known })
    expect(form).toMatchObject([303, { location: '/answer?sent#reply' }, ''])
    expect(await replies({ form: unknown })).toEqual(form)
    const queue = rowsByTable(site()).mail_queue as { kind: string; address: string }[]
    const links = queue.filter(({ kind }) => kind === 'link').map(({ address }) => address)
    expect(new Set(links)).toEqual(new Set([known.email, unknown.email]))
    expect((await ask(site(), 'GET /answer?sent')).body).toContain('an email with their private links is on its way')
  })

  it('says on the page why none is sent, and offers none without a mail server', async () => {
    const wrong = await ask(site(), CALL, { form: { email: 'ana@cole' } })
    expect([wrong.status, /Invalid email address/.test(wrong.body)]).toEqual([400, true])
    expect(wrong.body).toContain('value="ana@cole"')
    expectProblem(await ask(withoutMail(), CALL, { json: known }), 404)
    for (const path of ['/share', '/answer']) {
      expect((await ask(site(), `GET ${path}`)).body).toContain(CALL.slice(5))
      expect((await ask(withoutMail(), `GET ${path}`)).body).not.toContain(CALL.slice(5))
    }
  })
})

describe('the form on a kept page', () => {
  it('asks for prayer requests as soon as the setting says so, and for reminders where mail is sent', async () => {
    const headers = { cookie: await signIn(site()) }
    for (const prayers of [true, false, true]) {
      await ask(site(), 'PATCH /api/settings', { json: { prayers }, headers })
      const { body } = await ask(site(), 'GET /share')
      expect(body).toContain('name="remind"')
      expect(body.includes('name="prayer"')).toBe(prayers)
      expect(body.includes('Any special notes or prayer requests?')).toBe(!prayers)
    }
    expect((await ask(withoutMail(), 'GET /share')).body).not.toContain('name="remind"')
  })
})
