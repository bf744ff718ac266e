import { beforeEach, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { openForTests } from '#testing/database-fixtures.ts'
import { getMailState, retryMail } from './queue.ts'
import { call, clock, emptyQueue, queue, recipientOf, rows, senderTo, sendUntil } from './queue-fixtures.ts'
import { startSmtpServer } from './smtp-fixtures.ts'

openForTests()
beforeEach(emptyQueue)

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
