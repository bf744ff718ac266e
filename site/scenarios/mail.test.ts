import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startSmtpServer } from '#db/mail/smtp-fixtures.ts'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
import { startBuiltServer } from '#testing/built-server.mjs'
import { testRsvp } from '#testing/database-fixtures.ts'
import { withOverrides } from '#testing/overrides.mjs'
import { inSiteDatabase } from './guarded-fixtures.ts'

async function startSite(mail: { port: number }) {
  const site = await startBuiltServer({
    ...withOverrides({ MAIL_INTERVAL_MS: 50 }),
    ADMIN_PASSWORD: 'three words in a row',
    PUBLIC_URL: 'https://rsvp.grace.example',
    SMTP_URL: `smtp://ruth:four%20secret%20words@127.0.0.1:${mail.port}`,
    MAIL_FROM: 'rsvp@grace.example',
  })
  onTestFinished(async () => {
    await site.stop()
  })
  const rows = (table: string) => inSiteDatabase(site, (database) => database.prepare(`SELECT * FROM ${table}`).all())
  return { site, rows, send: (email: string) => ask(site, 'POST /api/rsvp', { json: testRsvp({ email }) }) }
}

const anyone: SMTPServerOptions['onAuth'] = (_auth, _session, reply) => reply(null, { user: 'ruth' })

describe('a site with a mail server', () => {
  it('replies to an RSVP before the mail server says anything, and stops without losing the message', async () => {
    const decide = vi.fn(() => 'stall' as const)
    const mail = await startSmtpServer(decide)
    const { site, rows, send } = await startSite(mail)
    expect(await send('ana@cole.example')).toMatchObject({ status: 201 })
    await vi.waitFor(() => expect(decide).toHaveBeenCalledOnce(), { timeout: 30_000 })
    expect(await send('joel@cole.example')).toMatchObject({ status: 201 })
    expect(rows('mail_queue')).toMatchObject([{ sending_at: expect.any(String) }, { sending_at: null, attempts: 0 }])
    process.kill(site.pid ?? 0, 'SIGTERM')
    await site.ended
    expect(rows('mail_queue')).toMatchObject([
      { sending_at: null, attempts: 1, failed_at: null },
      { sending_at: null, attempts: 0, failed_at: null },
    ])
    expect(site.output()).not.toMatch(/secret|cole/)
  })

  it('lets a mail program or a reader stop the messages to an address by their key alone, and take it back', async () => {
    const mail = await startSmtpServer(undefined, 0, {
      onAuth: anyone,
      allowInsecureAuth: true,
    })
    const { site, rows, send } = await startSite(mail)
    await send('ana@cole.example')
    await vi.waitFor(() => expect(mail.taken).toHaveLength(1), { timeout: 30_000 })
    const header = mail.taken[0]?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    const path = header.replace(/^<https:\/\/rsvp\.grace\.example(.*)>$/, '$1')
    const foreign = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
    const oneClick = {
      body: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      headers: { ...foreign, 'content-type': 'multipart/form-data; boundary=b' },
    }
    const seen = await ask(site, `GET ${path}`, { headers: { 'accept-language': 'ar' } })
    const headers = { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' }
    expect(seen).toMatchObject({ status: 200, headers, body: expect.stringContaining('dir="rtl"') })
    expect(rows('mail_stops')).toEqual([])
    const own = { origin: 'https://rsvp.grace.example', 'sec-fetch-site': 'same-origin' }
    const form = 'List-Unsubscribe=One-Click'
    for (const sent of [oneClick, { form, headers: foreign }, { form: '', headers: own }]) {
      const stopped = await ask(site, `POST ${path}`, sent)
      expect(stopped).toMatchObject({ status: 200, body: expect.stringContaining('gets no more messages') })
      expect(rows('mail_stops')).toHaveLength(1)
      await ask(site, `POST ${path}`, { form: 'undo=', headers: own })
      expect(rows('mail_stops')).toEqual([])
    }
    expect(await ask(site, `POST ${path}x`, oneClick)).toMatchObject({ status: 404 })
    for (const other of ['/mail/stop', '/api/rsvp?/mail/stop?key=1', '/share?/mail/stop?'])
      expectProblem(await ask(site, `POST ${other}`, oneClick), 403)
    expect(rows('mail_stops')).toEqual([])
  })
})
