import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { UserError } from '#db/values/errors.ts'
import { startSmtpServer } from './smtp-fixtures.ts'
import { sendLetter } from './transport.ts'

const letter = {
  id: 'first',
  to: 'ana@cole.example',
  fromName: 'Grace Church',
  subject: 'We have your RSVP',
  text: 'See you on Saturday, Zoë.',
  html: '<p>See you</p>',
}
/** A sentence that names no person and no password. */
const sentence = expect.stringMatching(/^(?!.*(cole|secret))[A-Z].*\.$/)

describe('a letter', () => {
  it('has its headers, its texts and its calendar', async () => {
    const { taken, mail } = await startSmtpServer()
    const stopUrl = 'https://rsvp.grace.example/mail/stop?key=a.b'
    const whole = { ...letter, calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', stopUrl }
    expect(await sendLetter(whole, mail)).toEqual({ result: 'sent' })
    expect(taken).toMatchObject([
      {
        recipient: 'ana@cole.example',
        from: { name: 'Grace Church', address: 'rsvp@grace.example' },
        to: [{ name: '', address: 'ana@cole.example' }],
        messageId: '<first@grace.example>',
        subject: 'We have your RSVP',
        text: expect.stringContaining('Zoë'),
        html: expect.stringContaining('<p>See you</p>'),
        attachments: [{ filename: 'service.ics', mimeType: 'text/calendar' }],
      },
    ])
    const headers = Object.fromEntries(taken[0]?.headers.map(({ key, value }) => [key, value]) ?? [])
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': `<${stopUrl}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
  })

  it.each([
    ['https://rsvp.grace.example', 'rsvp.grace.example'],
    ['https://rsvp.grüße.example:8443', 'rsvp.xn--gre-6ka8l.example'],
  ])('greets with the name of the site at %s', async (origin, helo) => {
    const { taken, mail } = await startSmtpServer()
    await sendLetter(letter, mail, { origin })
    expect(taken).toMatchObject([{ helo }])
  })

  it('comes from the name of MAIL_FROM, if it has one', async () => {
    const { taken, mail } = await startSmtpServer()
    await sendLetter(letter, { ...mail, name: 'Grace, the “Church”' })
    expect(taken[0]?.from).toEqual({ name: 'Grace, the “Church”', address: mail.from })
  })

  it('cannot be given another header, recipient or file', async () => {
    const { taken, mail } = await startSmtpServer()
    const forged = 'x\r\nBcc: all@cole.example\r\n\r\nBuy\0'
    await sendLetter({ ...letter, subject: forged, fromName: `${forged}" <eve@cole.example>, ` }, mail)
    await sendLetter({ ...letter, text: forged, html: forged, calendar: '/etc/passwd' }, mail)
    for (const { recipient, bcc, from, to } of taken) {
      const ends = { recipient: 'ana@cole.example', bcc: undefined, from: mail.from, to: 1 }
      expect({ recipient, bcc, from: from?.address, to: to?.length }).toEqual(ends)
    }
    expect(taken[0]?.subject).toMatch(/^x Bcc: all@cole.example +Buy/)
    const [file] = taken[1]?.attachments ?? []
    expect(new TextDecoder().decode(file?.content as ArrayBuffer).trim()).toBe('/etc/passwd')
    for (const to of ['ana@cole.example>\r\nRCPT TO:<eve@cole.example', 'ana@cole.example, eve@cole.example'])
      expect(await sendLetter({ ...letter, to }, mail)).toMatchObject({ failure: { message: sentence } })
    expect(taken).toHaveLength(2)
  })
})

describe('a mail server', () => {
  type Decided = ReturnType<NonNullable<Parameters<typeof startSmtpServer>[0]>>
  it.each<[string, string, Decided, string]>([
    ['refuses the content', 'reply', '550 Spam', 'delayed'],
    ['knows the address only then', 'reply', '550 5.1.1 No such user', 'failed'],
    ['refuses the sender', 'sender', '550 5.1.1 Not you', 'delayed'],
    ['greylists', 'recipient', 450, 'delayed'],
    ['refuses to talk', 'greeting', 554, 'delayed'],
    ['hangs up before the content', 'recipient', 'hang up', 'delayed'],
    ['hangs up in the content', 'content', 'hang up', 'unknown'],
    ['hangs up after the content', 'reply', 'hang up', 'unknown'],
  ])('that %s gets its result, with a reason without the address', async (_name, at, decided, result) => {
    const { mail } = await startSmtpServer((step) => (step === at ? decided : 'go on'))
    expect(await sendLetter(letter, mail)).toMatchObject({ failure: { message: sentence }, result })
  })

  it.each<[`${number} ${string}`, string, string]>([
    ['550 No such user', 'failed', '550'],
    ['553 Mailbox name not allowed', 'failed', '553'],
    ['550 5.1.1 User ana@cole.example unknown', 'failed', '550 5.1.1'],
    ['550 #5.1.0 Address rejected.', 'failed', '550'],
    ['556 5.1.10 Null MX', 'failed', '556 5.1.10'],
    ['550 5.1.1 The account that\n5.1.1 you tried does not exist', 'failed', '550 5.1.1'],
    ['550 (5.7.1) Relaying denied', 'delayed', '550'],
    ['554 5.7.1 <ana@cole.example>: Relay access denied', 'delayed', '554 5.7.1'],
    ['550 5.1.8 Sender domain unknown', 'delayed', '550 5.1.8'],
    ['552 5.2.2 Mailbox of ana is full', 'delayed', '552 5.2.2'],
    ['450 5.1.1 Try later', 'delayed', '450 5.1.1'],
    ['550 Rejected by our policy\n5.7.1 Blocked', 'delayed', '550'],
  ])('that replies %j to the address: %s', async (reply, result, codes) => {
    const { mail } = await startSmtpServer((step) => (step === 'recipient' ? reply : 'go on'))
    const delivery = await sendLetter(letter, mail)
    expect(delivery).toMatchObject({ result, failure: { message: sentence } })
    expect(delivery.failure?.message).toContain(`(EENVELOPE ${codes})`)
  })

  it.each([
    ['greeting', 'delayed'],
    ['recipient', 'delayed'],
    ['reply', 'unknown'],
  ])('that hangs at the %s is left when the site stops', async (at, result) => {
    const ending = new AbortController()
    const { mail } = await startSmtpServer((step) => {
      if (step === at) setTimeout(() => ending.abort(), 20)
      return step === at ? 'stall' : 'go on'
    })
    expect(await sendLetter(letter, mail, { ending: ending.signal })).toMatchObject({ result })
    expect(await sendLetter(letter, mail, { ending: ending.signal })).toMatchObject({ result: 'delayed' })
  })

  it('that is away, or without TLS on another computer, gets nothing', async () => {
    const { mail, port, stop, taken } = await startSmtpServer()
    // An address of this computer that does not count as loopback.
    const elsewhere = { ...mail, server: `smtp://[::ffff:127.0.0.1]:${port}` }
    const insecure = {
      result: 'delayed',
      failure: { message: expect.stringMatching(/has not taken the message \(ETLS 500 /) },
    }
    expect(await sendLetter(letter, elsewhere)).toMatchObject(insecure)
    expect(taken).toEqual([])
    expect(await sendLetter(letter, { ...mail, server: `${elsewhere.server}?tls=off` })).toEqual({ result: 'sent' })
    await stop()
    const failure = { message: expect.stringMatching(/cannot be reached.*\(ECONNREFUSED\)\.$/) }
    expect(await sendLetter(letter, mail)).toMatchObject({ result: 'delayed', failure })
  })

  it('that refuses the password gives a reason without it', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = ({ password }, _session, reply) =>
      password === 'three words@row' ? reply(null, { user: 'ruth' }) : reply(new Error(`Not ${password}`))
    const options = { authOptional: false, allowInsecureAuth: true, onAuth }
    const { mail, port } = await startSmtpServer(undefined, 0, options)
    const sendAs = (user: string) => sendLetter(letter, { ...mail, server: `smtp://${user}@127.0.0.1:${port}` })
    const failure = new UserError('mail-not-taken', { reply: 'EAUTH 535 Not …' })
    expect(await sendAs('ruth:secret')).toEqual({ result: 'delayed', failure })
    expect(await sendAs('ruth:three%20words%40row')).toEqual({ result: 'sent' })
  })
})
