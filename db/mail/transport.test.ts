import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { startSmtpServer } from './smtp-fixtures.ts'
import { sendLetter } from './transport.ts'

const letter = {
  to: 'ana@cole.example',
  fromName: 'Grace Church',
  id: 'first',
  subject: 'We have your RSVP',
  text: 'See you on Saturday, Zoë.',
  html: '<p>See you</p>',
}
const never = new AbortController().signal

describe('a letter', () => {
  it('has its headers, its texts and its calendar', async () => {
    const { taken, mail } = await startSmtpServer()
    const stopUrl = 'https://rsvp.grace.example/mail/stop?key=a.b'
    const whole = { ...letter, calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', stopUrl }
    expect(await sendLetter(whole, mail, never)).toEqual({ result: 'sent' })
    expect(taken).toMatchObject([
      {
        recipient: 'ana@cole.example',
        from: { name: 'Grace Church', address: 'rsvp@grace.example' },
        to: [{ name: '', address: 'ana@cole.example' }],
        messageId: '<first@grace.example>',
        subject: 'We have your RSVP',
        text: expect.stringContaining('Zoë'),
        html: expect.stringContaining('<p>See you</p>'),
        attachments: [{ filename: 'service.ics', mimeType: 'text/calendar', method: 'PUBLISH' }],
      },
    ])
    const headers = Object.fromEntries(taken[0]?.headers.map(({ key, value }) => [key, value]) ?? [])
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': `<${stopUrl}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
  })

  it('cannot be given another header, recipient or file', async () => {
    const { taken, mail } = await startSmtpServer()
    const forged = 'x\r\nBcc: all@cole.example\r\n\r\nBuy\0'
    await sendLetter({ ...letter, subject: forged, fromName: `${forged}" <eve@cole.example>, ` }, mail, never)
    await sendLetter({ ...letter, text: forged, html: forged, calendar: '/etc/passwd' }, mail, never)
    expect(taken.map(({ recipient }) => recipient)).toEqual(['ana@cole.example', 'ana@cole.example'])
    for (const { bcc, from, to } of taken) {
      expect({ bcc, from, to: to?.length }).toMatchObject({ bcc: undefined, from: { address: mail.from }, to: 1 })
    }
    expect(taken[0]?.subject).toMatch(/^x Bcc: all@cole.example +Buy/)
    const [file] = taken[1]?.attachments ?? []
    expect(new TextDecoder().decode(file?.content as ArrayBuffer).trim()).toBe('/etc/passwd')
    for (const to of ['ana@cole.example>\r\nRCPT TO:<eve@cole.example', 'ana@cole.example, eve@cole.example']) {
      expect(await sendLetter({ ...letter, to }, mail, never)).toMatchObject({ result: 'failed' })
    }
    expect(taken).toHaveLength(2)
  })
})

describe('a mail server', () => {
  const cases: [string, Parameters<typeof startSmtpServer>[0], object][] = [
    ['refuses the address', (step) => (step === 'recipient' ? 550 : 'go on'), { result: 'failed' }],
    ['refuses the content', (step) => (step === 'reply' ? 554 : 'go on'), { result: 'failed' }],
    ['greylists', (step) => (step === 'recipient' ? 450 : 'go on'), { result: 'delayed', concernsAll: false }],
    ['has no room for the content', (step) => (step === 'reply' ? 452 : 'go on'), { result: 'delayed' }],
    ['refuses to talk', () => 554, { result: 'delayed', concernsAll: true }],
    ['hangs up before the content', (step) => (step === 'recipient' ? 'hang up' : 'go on'), { result: 'delayed' }],
    ['hangs up in the content', (step) => (step === 'content' ? 'hang up' : 'go on'), { result: 'unknown' }],
    ['hangs up after the content', (step) => (step === 'reply' ? 'hang up' : 'go on'), { result: 'unknown' }],
  ]
  it.each(cases)('that %s is told from others, without the address', async (_name, decide, delivery) => {
    const { mail } = await startSmtpServer(decide)
    const told = await sendLetter(letter, mail, never)
    expect(told).toMatchObject({ failure: expect.stringMatching(/^(?!.*cole)[A-Z].*\.$/), ...delivery })
  })

  it('that says nothing any more is left when the site stops', async () => {
    for (const [step, result] of [
      ['greeting', 'delayed'],
      ['recipient', 'delayed'],
      ['reply', 'unknown'],
    ] as const) {
      const ending = new AbortController()
      const { mail } = await startSmtpServer((at) => {
        if (at !== step) return 'go on'
        setTimeout(() => ending.abort(), 20)
        return 'stall'
      })
      expect(await sendLetter(letter, mail, ending.signal)).toMatchObject({ result })
    }
    const { mail, taken } = await startSmtpServer()
    expect(await sendLetter(letter, mail, AbortSignal.abort())).toMatchObject({ result: 'delayed' })
    expect(taken).toEqual([])
  })

  it('that is not there, or without TLS on another computer, gets nothing yet', async () => {
    const { mail, port, stop, taken } = await startSmtpServer()
    // The same computer by a name that other computers could have.
    const elsewhere = `smtp://[::ffff:127.0.0.1]:${port}`
    const secure = await sendLetter(letter, { ...mail, server: elsewhere }, never)
    expect(secure).toMatchObject({ result: 'delayed', failure: expect.stringMatching(/secure connection/) })
    expect(taken).toEqual([])
    expect(await sendLetter(letter, { ...mail, server: `${elsewhere}?tls=off` }, never)).toEqual({ result: 'sent' })
    await stop()
    const failure = expect.stringMatching(/cannot be reached.*\(ECONNREFUSED\)\.$/)
    expect(await sendLetter(letter, mail, never)).toMatchObject({ result: 'delayed', failure })
  })

  it('that does not know the password is told without it', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = ({ password }, _session, reply) =>
      password === 'three words@row' ? reply(null, { user: 'ruth' }) : reply(new Error(`Not ${password}`))
    const { mail, taken, port } = await startSmtpServer(undefined, 0, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth,
    })
    const wrong = await sendLetter(letter, { ...mail, server: `smtp://ruth:secret@127.0.0.1:${port}` }, never)
    expect(wrong).toEqual({
      result: 'delayed',
      failure: 'The mail server refused the user and the password in SMTP_URL (535).',
      concernsAll: true,
    })
    expect(
      await sendLetter(letter, { ...mail, server: `smtp://ruth:three%20words%40row@127.0.0.1:${port}` }, never),
    ).toEqual({ result: 'sent' })
    expect(taken).toHaveLength(1)
  })
})
