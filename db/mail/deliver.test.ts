import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call } from '#db/call.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { db } from '#db/storage/client.ts'
import { administrators, allowances } from '#db/tables/access.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { addAdministrator, callOf, emptyTables, openForTests, testCall } from '#testing/database-fixtures.ts'
import { type Compose, sendDue, sendTestMail } from './deliver.ts'
import { forgetOldMail, getMailState, retryMail } from './queue.ts'
import {
  call,
  clock,
  compose,
  emptyQueue,
  inMinutes,
  queue,
  recipientOf,
  rows,
  senderTo,
  sendUntil,
} from './queue-fixtures.ts'
import { startSmtpServer } from './smtp-fixtures.ts'
import { changeMailStop, stopPath } from './stops.ts'

describe('the queue', () => {
  openForTests()
  beforeEach(emptyQueue)

  it('sends each message once, when it is due, and forgets its address', async () => {
    const { taken, mail } = await startSmtpServer()
    await queue(2, { dueAt: inMinutes(3).toISOString() })
    await queue(3)
    await sendUntil(2, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient)).toEqual([recipientOf(3)])
    await sendUntil(9, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient)).toEqual([3, 1, 2].map(recipientOf))
    expect(new Set(taken.map(({ messageId }) => messageId)).size).toBe(3)
    expect(await rows()).toMatchObject(Array(3).fill({ address: null, sendingAt: null, attempts: 1, failedAt: null }))
    expect(await getMailState(call())).toEqual({ configured: true, trouble: null, waiting: 0, failed: [] })
  })

  it('deletes messages 30 days after their end, even unsent ones', async () => {
    await queue(1)
    await forgetOldMail({ ...call(), now: inMinutes(600 + 30 * 24 * 60) })
    expect(await rows()).toHaveLength(1)
    await forgetOldMail({ ...call(), now: inMinutes(601 + 30 * 24 * 60) })
    expect(await rows()).toEqual([])
  })

  it('lists messages that were refused, too late or perhaps sent, and sends them again only by a retry', async () => {
    const acts: Record<string, 550 | 'hang up' | undefined> = { [recipientOf(1)]: 550, [recipientOf(2)]: 'hang up' }
    const { taken, mail } = await startSmtpServer(
      (step, to) => (step === (acts[to] === 550 ? 'recipient' : 'reply') && acts[to]) || 'go on',
    )
    await queue(4, { rsvpId: null, administratorId: 1 })
    await queue(5, { endsAt: clock.now.toISOString() })
    await sendUntil(300, senderTo(mail))
    const { failed } = await getMailState(call())
    const told = (await rows()).flatMap(({ key, failure }) => (failure === null ? [] : [`${key}: ${failure.message}`]))
    expect(told).toEqual([
      expect.stringMatching(/^confirmation 1: .*refused .* for good \(EENVELOPE 550/),
      expect.stringMatching(/^confirmation 2: It is unknown whether/),
      expect.stringMatching(/^confirmation 5: It could not be sent before/),
    ])
    expect(taken.map(({ recipient }) => recipient)).toEqual([2, 3, 4].map(recipientOf))
    for (const id of [1, 2]) acts[recipientOf(id)] = undefined
    expect(await retryMail({}, call())).toBe(2)
    await sendUntil(310, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient).slice(3)).toEqual([1, 2].map(recipientOf))
    expect(await getMailState(call())).toMatchObject({ waiting: 0, failed: [{}] })
    expect(await retryMail({ ids: failed.map(({ id }) => id) }, { ...call(), now: inMinutes(601) })).toBe(0)
  })

  it('sends nothing to an address that has stopped messages, until it allows them again', async () => {
    const { taken, mail } = await startSmtpServer()
    const key = stopPath('Confirmation-1+tag@cole.example', await readKeyedHash()).split('key=')[1] ?? ''
    expect(key).not.toMatch(/cole|confirmation/i)
    const forged = key.replace(/\..*/, `.${'a'.repeat(43)}`)
    for (const wrong of ['', 'a.b', `${key}x`, key.slice(1), forged])
      await expect(changeMailStop({ key: wrong, stopped: true }, call())).rejects.toMatchObject({ code: 'not-found' })
    for (const passedOn of [key, `<${key}>`, `${key}).`, key.replace('.', '.\r\n '), `${key}\u200b`])
      expect(await changeMailStop({ key: passedOn, stopped: true }, call())).toBe(true)
    expect(await changeMailStop({ key }, call())).toBe(true)
    await queue(2)
    await sendUntil(1, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient)).toEqual([recipientOf(2)])
    expect(await changeMailStop({ key, stopped: false }, call())).toBe(false)
    await emptyTables(mailQueue)
    await queue(1)
    await sendUntil(2, senderTo(mail))
    expect(taken).toHaveLength(2)
    const value = `<https://rsvp.example/mail/stop?key=${key}>`
    expect(taken[1]?.headers).toContainEqual(expect.objectContaining({ key: 'list-unsubscribe', value }))
  })

  it('drops messages with nothing to send, and delays those that cannot be made', async () => {
    const { taken, mail } = await startSmtpServer()
    await queue(3)
    const broken: Compose = async (message, ...rest) => {
      if (message.key.endsWith('1')) return undefined
      if (message.key.endsWith('2')) throw new Error('A bug')
      return compose(message, ...rest)
    }
    const sender = senderTo(mail, { compose: broken })
    await expect(sendDue(sender, call)).rejects.toThrow('A bug')
    await sendDue(sender, call)
    expect(taken.map(({ recipient }) => recipient)).toEqual([recipientOf(3)])
    const trouble = { message: expect.stringContaining('log') }
    expect(await getMailState(call())).toMatchObject({ waiting: 1, trouble, failed: [] })
  })

  it.each([
    ['greeting', 1],
    ['recipient', 1],
    ['content', 0],
    ['reply', 0],
  ])('takes over from a process that hangs or was killed at the %s', async (step, waiting) => {
    let isHung = false
    const { taken, mail } = await startSmtpServer((at) => {
      if (isHung || at !== step) return 'go on'
      isHung = true
      return 'stall'
    })
    await queue(3)
    const end = new AbortController()
    const hung = sendDue(senderTo(mail, { stopping: end.signal, ending: end.signal }), call)
    await vi.waitFor(() => expect(isHung).toBe(true))
    const other = senderTo(mail, { holder: 'other' })
    await sendDue(other, call)
    expect(await getMailState(call())).toMatchObject({ waiting: 3, failed: [] })
    clock.now = inMinutes(3)
    await Promise.all([sendDue(other, call), sendDue(senderTo(mail, { holder: 'third' }), call)])
    expect(await getMailState(call())).toMatchObject({ waiting: 0, failed: [{ failure: { refusal: 'mail-unknown' } }] })
    expect(taken.map(({ recipient }) => recipient)).toEqual((step === 'reply' ? [1, 2, 3] : [2, 3]).map(recipientOf))
    // The process that hung continues, and stores the result of its message.
    end.abort()
    await hung
    expect(await getMailState(call())).toMatchObject({ waiting })
  })

  it('waits for the address of the site, and stops between two messages when the site stops', async () => {
    const { taken, mail } = await startSmtpServer()
    await queue(2)
    await sendDue(senderTo(mail, { origin: undefined }), call)
    expect(await getMailState(call())).toMatchObject({
      waiting: 2,
      trouble: { message: expect.stringMatching(/public address/) },
    })
    const stopping = new AbortController()
    const stopAfterFirst: Compose = (...asked) => {
      stopping.abort()
      return compose(...asked)
    }
    await sendDue(senderTo(mail, { compose: stopAfterFirst, stopping: stopping.signal }), call)
    expect(taken).toHaveLength(1)
    await sendDue(senderTo(mail, { holder: 'other' }), call)
    expect(taken).toHaveLength(1)
    clock.now = inMinutes(3)
    await sendDue(senderTo(mail, { holder: 'other' }), call)
    expect(await getMailState(call())).toMatchObject({ waiting: 0, trouble: null })
    expect(taken).toHaveLength(2)
  })

  it('sends a test message only to the caller, in their language', async () => {
    const { taken, mail } = await startSmtpServer()
    await emptyTables(administrators)
    const ruth = callOf(await addAdministrator({ email: 'ruth@cole.example' }))
    const nameless = callOf(await addAdministrator({ email: null }))
    const write = async (subject: string, text: string) => ({ subject, text: `In German: ${text}`, html: '' })
    const test = (to: string | undefined, caller: Call) =>
      sendTestMail({ to }, caller, { mail, publicUrl: undefined }, write)
    const open = testCall({ actor: 'open mode' })
    for (const caller of [ruth, nameless, open])
      for (const to of ['bo@roe.example', 'ruth+x@cole.example', 'x.rsvp@grace.example'])
        await expect(test(to, caller)).rejects.toMatchObject({ code: 'forbidden', fields: [{ path: 'to' }] })
    await test(undefined, ruth)
    await test('Ruth@cole.example', ruth)
    await test(undefined, nameless)
    await test(mail.from, open)
    await test('bo@roe.example', testCall({ actor: 'terminal' }))
    const recipients = ['ruth@cole.example', 'Ruth@cole.example', mail.from, mail.from, 'bo@roe.example']
    expect(taken.map(({ recipient }) => recipient)).toEqual(recipients)
    const subject = 'A test of the RSVP site'
    expect(taken[0]).toMatchObject({ subject, text: expect.stringMatching(/^In German/) })
  })

  it('waits for a server that is away or greylists, with longer and longer pauses', async () => {
    const { mail, port, stop } = await startSmtpServer()
    await stop()
    await queue(2)
    await sendUntil(60, senderTo(mail))
    const trouble = { message: expect.stringContaining('cannot be reached') }
    expect(await getMailState(call())).toMatchObject({ waiting: 2, trouble })
    for (const { attempts } of await rows()) expect(attempts).toBeLessThan(7)
    const seen = new Set<string>()
    const { taken } = await startSmtpServer((step, to) => {
      const isFirst = step === 'recipient' && !seen.has(to)
      seen.add(to)
      return isFirst ? 450 : 'go on'
    }, port)
    await sendUntil(120, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient).toSorted()).toEqual([1, 2].map(recipientOf))
    expect(await getMailState(call())).toMatchObject({ trouble: null, waiting: 0, failed: [] })
  })

  it.each([
    ['greeting', '554 5.7.1 Blocked', '554 5.7.1 Blocked'],
    ['recipient', '554 5.7.1 Relay access denied', '554 5.7.1'],
  ] as const)(
    'loses nothing by the refusal at the %s: %s; sends all soon after it ends',
    async (refusedAt, reply, told) => {
      let isFixed = false
      const { taken, mail } = await startSmtpServer((step) => (step === refusedAt && !isFixed ? reply : 'go on'))
      await queue(2)
      await sendUntil(60, senderTo(mail))
      const trouble = { message: expect.stringContaining(`${told}). If that lasts`) }
      expect(await getMailState(call())).toMatchObject({ waiting: 2, trouble, failed: [] })
      isFixed = true
      await sendUntil(75, senderTo(mail))
      expect(taken.map(({ recipient }) => recipient).toSorted()).toEqual([1, 2].map(recipientOf))
      expect(await getMailState(call())).toMatchObject({ waiting: 0, trouble: null, failed: [] })
    },
  )

  it('sends delayed messages at once after a retry, which does not count against the mailbox', async () => {
    let isFixed = false
    const { taken, mail } = await startSmtpServer(() => (isFixed ? 'go on' : '554 5.7.1 Blocked'))
    await queue(2, { kind: 'reminder' })
    await sendUntil(25, senderTo(mail))
    const before = await db.select().from(allowances)
    isFixed = true
    await retryMail({}, call())
    await sendUntil(26, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient).toSorted()).toEqual([1, 2].map(recipientOf))
    expect(await db.select().from(allowances)).toEqual(before)
  })

  it('does not hold up other messages by one that the server refuses', async () => {
    let tries = 0
    const { taken, mail } = await startSmtpServer((step, to) => {
      if (step !== 'recipient' || to !== recipientOf(1)) return 'go on'
      tries += 1
      return '552 5.2.2 Mailbox full'
    })
    for (let minute = 0; minute < 20; minute++) {
      await queue(minute + 1, { dueAt: clock.now.toISOString() })
      await sendUntil(minute, senderTo(mail))
    }
    expect(taken).toHaveLength(19)
    expect(tries).toBeLessThan(5)
  })
})
