import { beforeEach, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { describeOnBothDatabases, emptyTables, everyRow, invalidAt, testCall } from '#testing/database-fixtures.ts'
import { sendLink } from './own-rsvp.ts'

const call = testCall({ role: 'visitor', actor: 'visitor', sendsMail: true, language: 'de' })
const after = (seconds: number) => ({ ...call, now: new Date(call.now.getTime() + seconds * 1000) })
const email = 'ana@cole.example'
const queued = () => db.select().from(mailQueue).orderBy(mailQueue.id)

describeOnBothDatabases('the private link by mail', () => {
  beforeEach(() => emptyTables(mailQueue, allowances))

  it('queues one message for an address in a minute, and names no address in its key', async () => {
    for (const [typed, seconds] of [[email, 0] as const, ['ANA@cole.example ', 20] as const, [email, 60] as const])
      await sendLink({ email: typed }, after(seconds))
    const mail = { kind: 'link', address: email, language: 'de', rsvpId: null }
    const days = { dueAt: '2025-01-05T14:00:00.000Z', endsAt: '2025-01-07T14:00:00.000Z' }
    const [first, second, ...rest] = await queued()
    expect(first).toMatchObject({ ...mail, ...days, key: expect.stringMatching(/^link [\w-]{43} \d+$/) })
    expect(second).toMatchObject(mail)
    expect(rest).toEqual([])
  })

  it('queues nothing where no mail is sent, nor for what is no address', async () => {
    const refused = { code: 'not-found', message: expect.stringMatching(/sends no email/) }
    await expect(sendLink({ email }, { ...call, sendsMail: undefined })).rejects.toMatchObject(refused)
    for (const wrong of ['ana@cole', 'ana@cole.example\r\nBcc: bea@roe.example'])
      await expect(sendLink({ email: wrong }, call)).rejects.toMatchObject(invalidAt('email'))
    expect(await queued()).toEqual([])
    expect(await everyRow()).not.toContain('cole')
  })

  it('takes five from a network, and then one a minute', async () => {
    const from = (network: string, seconds = 0) => ({ ...after(seconds), network })
    for (const place of [1, 2, 3, 4, 5]) await sendLink({ email: `${place}@cole.example` }, from('203.0.113.7'))
    const tooMany = { code: 'too-many', message: expect.stringMatching(/^Too many links were asked for/) }
    await expect(sendLink({ email }, from('203.0.113.7'))).rejects.toMatchObject(tooMany)
    await sendLink({ email }, from('203.0.113.7', 61))
    expect(await queued()).toHaveLength(6)
  })
})
