import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startSmtpServer } from '#db/mail/smtp-fixtures.ts'
import { ask, type Site } from '#site/scenarios/fixtures.ts'
import { asVisitor, inSiteDatabase, PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'
import { sendLinked } from './fixtures.ts'

const family = {
  ...{ phone: 'canary phone', message: 'canary message', familyMembers: [{ name: 'Canary Child' }] },
  ...{ prayer: 'canary prayer', prayerAudience: 'pastor' },
}
const impostor = { name: 'ANA COLE', message: 'Hello' }

/** A guarded site, with a mail server if it is told. */
async function startSite(mail?: { port: number }): Promise<Site> {
  const sending = mail && { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'rsvp@grace.example' }
  const site = await startBuiltServer({
    ...withOverrides({ MAIL_INTERVAL_MS: 50 }),
    ...{ ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off', PUBLIC_URL: 'https://rsvp.grace.example', ...sending },
  })
  onTestFinished(async () => {
    await site.stop()
  })
  const headers = { cookie: await signIn(site, { headers: from }), ...from }
  const signedIn = { ...site, headers }
  await ask(signedIn, 'PATCH /api/settings', { json: { prayers: true } })
  return signedIn
}
const from = { host: 'rsvp.grace.example', origin: 'https://rsvp.grace.example' }

/** Everything that a visitor can try with the secret of a link: the API, the page and its form. */
async function tryAll(site: Site, key: string) {
  const headers = { 'link-key': key, cookie: `rsvp-link=${key}; __Secure-rsvp-link=${key}`, ...from }
  const calls = ['GET /api/answer', 'PATCH /api/answer', 'DELETE /api/answer']
  const replies = []
  for (const call of [...calls, 'GET /answer'])
    replies.push(
      await ask(asVisitor(site), call, { headers, ...(call.startsWith('PATCH') && { json: { phone: '1' } }) }),
    )
  return replies
}

const rowsOf = (site: Site) =>
  inSiteDatabase(site, (database) => database.prepare('SELECT * FROM rsvps WHERE deleted_at IS NULL').all())
const merge = async (site: Site) => {
  const [first, ...others] = rowsOf(site)
  // Of the first week, of which alone the message and the prayer request are.
  const id = others.findLast((row) => row.service_date === first?.service_date)?.id
  const reply = await ask(site, `POST /api/rsvps/${id}/merge`, { json: {} })
  expect(reply.status).toBe(200)
  return JSON.parse(reply.body)
}
const send = (site: Site, changes: object) => sendLinked({ ...site, headers: from }, { ...changes })

describe('an RSVP that someone else sends in the name of a family', () => {
  it.each([
    { standing: false, order: [impostor, family] },
    { standing: true, order: [family, impostor] },
  ])(
    'opens nothing once it is merged, and the family gets a new link by mail',
    async (sent) => {
      const mail = await startSmtpServer()
      const site = await startSite(mail)
      const keys = []
      for (const changes of sent.order) keys.push((await send(site, { ...changes, standing: sent.standing })).key)
      expect(await merge(site)).toMatchObject({ linkMailed: true })
      const before = rowsOf(site)
      for (const key of keys)
        for (const { status, body } of await tryAll(site, key)) {
          expect([404, 410]).toContain(status)
          expect(body).toMatch(/(ask|tell) the church office/)
          expect(body).not.toMatch(/canary|Hello/i)
        }
      expect(rowsOf(site)).toEqual(before)
      const letter = () => mail.taken.find(({ text }) => text?.includes('Earlier links no longer work'))
      await vi.waitFor(() => expect(letter()?.recipient).toBe('ana@cole.example'), { timeout: 30_000 })
      const replies = []
      for (const [, key = ''] of letter()?.text?.matchAll(/\/answer\?key=([\w-]+)/g) ?? [])
        replies.push(await ask(asVisitor(site), 'GET /api/answer', { headers: { 'link-key': key, ...from } }))
      expect(replies.some(({ body }) => body.includes('Canary Child'))).toBe(true)
    },
    60_000,
  )
})
