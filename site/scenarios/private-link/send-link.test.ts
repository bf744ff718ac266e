import { describe, expect, it } from 'vitest'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
import { guardedSite, rowsByTable } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

const CALL = 'POST /api/answer/link'
const site = guardedSite({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@cole.example' })
const withoutMail = guardedSite()
const known = { email: 'ana@cole.example' }
const unknown = { email: 'bea@roe.example' }

describe('the private link by mail', () => {
  it('is asked for with the same reply whether the address is known or not', async () => {
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp(known) })).status).toBe(201)
    const reply = async (sent: { json: object } | { form: Record<string, string> }) => {
      const { status, headers, body } = await ask(site(), CALL, sent)
      return [status, { ...headers, date: '', 'x-request-id': '' }, body]
    }
    const pasted = { email: 'Ana Cole <mailto:ana@cole.\u200bexample>,' }
    const [json, form] = [await reply({ json: known }), await reply({ form: pasted })]
    expect([json, form]).toMatchObject([
      [204, {}, ''],
      [303, { location: '/answer?sent#reply' }, ''],
    ])
    expect([await reply({ json: unknown }), await reply({ form: unknown })]).toEqual([json, form])
    const queued = JSON.stringify(rowsByTable(site()).mail_queue)
    for (const { email } of [known, unknown]) expect(queued).toContain(`"address":"${email}"`)
    expect((await ask(site(), 'GET /answer?sent')).body).toContain('an email with their private links is on its way')
  })

  it('says on the page why none is sent, and offers none without a mail server', async () => {
    const wrong = await ask(site(), CALL, { form: { email: 'ana@cole' } })
    expect(wrong.status).toBe(400)
    expect(wrong.body).toMatch(/Invalid email address.*value="ana@cole"/s)
    expectProblem(await ask(withoutMail(), CALL, { json: known }), 404)
    for (const path of ['/share', '/answer']) {
      expect((await ask(site(), `GET ${path}`)).body).toContain(CALL.slice(5))
      expect((await ask(withoutMail(), `GET ${path}`)).body).not.toContain(CALL.slice(5))
    }
  })
})
