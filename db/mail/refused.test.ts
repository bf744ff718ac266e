import { beforeEach, expect, it } from 'vitest'
import { openForTests, testCall } from '#db/fixtures.ts'
import type { Sender } from './deliver.ts'
import { getMailState, retryMail, sendTestMail } from './operations.ts'
import { call, clock, emptyQueue, queue, recipientOf, rows, senderTo, sendUntil } from './queue-fixtures.ts'
import { startSmtpServer } from './smtp-fixtures.ts'

openForTests()
beforeEach(emptyQueue)

it('waits for a server that is away for an hour, and for one that greylists, with longer and longer pauses', async () => {
  const { mail, port, stop } = await startSmtpServer()
  await stop()
  await queue(2)
  await sendUntil(60, senderTo(mail))
  const trouble = expect.stringContaining('cannot be reached')
  expect(await getMailState(call())).toMatchObject({ waiting: 2, trouble })
  for (const { attempts } of await rows()) expect(attempts).toBeLessThan(7)
  const seen = new Set<string>()
  const { taken } = await startSmtpServer((step, to) => {
    const isFirst = step === 'recipient' && !seen.has(to)
    seen.add(to)
    return isFirst ? 450 : 'go on'
  }, port)
  await sendUntil(240, senderTo(mail))
  expect(taken.map(({ recipient }) => recipient).toSorted()).toEqual([1, 2].map(recipientOf))
  expect(await getMailState(call())).toMatchObject({ trouble: null, waiting: 0, failed: [] })
})

it.each([
  ['greeting', '554 5.7.1 Blocked'],
  ['sender', '550 5.7.1 Sender address rejected'],
  ['recipient', '554 5.7.1 Relay access denied'],
  ['recipient', '530 5.7.0 Authentication required'],
  ['recipient', '450 4.2.0 Greylisted'],
  ['reply', '554 5.6.0 Content rejected'],
] as const)('loses nothing by the refusal at the %s: %s', async (refusedAt, reply) => {
  let isFixed = false
  const { taken, mail } = await startSmtpServer((step) => (step === refusedAt && !isFixed ? reply : 'go on'))
  await queue(2)
  await sendUntil(25, senderTo(mail))
  const trouble = expect.stringContaining(`${reply}). If that lasts`)
  expect(await getMailState(call())).toMatchObject({ waiting: 2, trouble, failed: [] })
  isFixed = true
  await queue(3, { dueAt: clock.now.toISOString() })
  await sendUntil(33, senderTo(mail))
  expect(taken.map(({ recipient }) => recipient).toSorted()).toEqual([1, 2, 3].map(recipientOf))
  expect(await getMailState(call())).toMatchObject({ waiting: 0, trouble: null, failed: [] })
})

it.each([
  [
    'a test message',
    (mail: Sender['mail']) =>
      sendTestMail({}, testCall({ now: clock.now, actor: 'terminal' }), { mail, publicUrl: undefined }),
  ],
  ['a retry', () => retryMail({}, call())],
  ['nothing but time', async () => {}],
])('sends what was delayed after %s', async (what, act) => {
  let isFixed = false
  const { taken, mail } = await startSmtpServer(() => (isFixed ? 'go on' : '554 5.7.1 Blocked'))
  await queue(2)
  await sendUntil(25, senderTo(mail))
  isFixed = true
  await act(mail)
  await sendUntil(what === 'nothing but time' ? 90 : 27, senderTo(mail))
  const recipients = taken.map(({ recipient }) => recipient).filter((to) => to !== mail.from)
  expect(recipients.toSorted()).toEqual([1, 2].map(recipientOf))
})

it('does not let a message that the server refuses hold up others, or be tried with each of them', async () => {
  let tries = 0
  const { taken, mail } = await startSmtpServer((step, to) => {
    if (step !== 'reply' || to !== recipientOf(1)) return 'go on'
    tries += 1
    return '554 5.6.0 Content rejected'
  })
  for (const count of [5, 10, 15]) {
    await queue(count, { dueAt: clock.now.toISOString() })
    await sendUntil(count * 12, senderTo(mail))
  }
  expect(taken).toHaveLength(14)
  expect(tries).toBeLessThan(10)
})
