import { asc } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { allowances } from '#db/access/table.ts'
import { describeOnBothDatabases, emptyTables, everyRow, testCall, testRsvp } from '#db/fixtures.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { mailQueue } from './table.ts'

const call = testCall({ role: 'visitor', actor: 'visitor', sendsMail: true, language: 'de' })
const after = (seconds: number) => ({ ...call, now: new Date(call.now.getTime() + seconds * 1000) })
const queued = () => db.select().from(mailQueue).orderBy(asc(mailQueue.id))
/** The seconds after the first RSVP at which each confirmation is due. */
const dueAfter = async () => (await queued()).map(({ dueAt }) => (Date.parse(dueAt) - call.now.getTime()) / 1000)

describeOnBothDatabases('the confirmation of an RSVP', () => {
  beforeEach(async () => {
    await emptyTables(rsvps, allowances)
    await changeSchedule({ weekday: 6, timeZone: 'UTC', closesMinutesBefore: null }, testCall())
  })

  it('is queued with it, until its service, without its address', async () => {
    const { id } = await createRsvp(testRsvp(), call)
    const mail = { key: `confirmation ${id}`, kind: 'confirmation', rsvpId: id, address: null, language: 'de' }
    expect(await queued()).toMatchObject([{ ...mail, endsAt: '2025-01-11T10:00:00.000Z' }])
    await emptyTables(rsvps)
    expect(await queued()).toEqual([])
    expect(await everyRow()).not.toContain('cole.example')
  })

  it('comes once a minute to one address, three times at once, then once a day, however it is written', async () => {
    for (const [at, user] of ['ana', 'Ana', 'ana+1', 'ana+2'].entries())
      await createRsvp(testRsvp({ email: `${user}@cole.example`, name: `Ana ${at}` }), after(at))
    expect(await dueAfter()).toEqual([0, 61, 122])
    await createRsvp(testRsvp({ email: 'joel@cole.example' }), after(5))
    await createRsvp(testRsvp({ name: 'Ana Cole' }), after(86_400))
    await createRsvp(testRsvp({ name: 'Anna Cole' }), after(86_400))
    expect(await dueAfter()).toEqual([0, 61, 122, 5, 86_520])
    expect(await db.$count(rsvps)).toBe(7)
  })

  it('is not queued for what may be spam, for a retry, or without a mail server', async () => {
    await createRsvp(testRsvp({ website: 'x' }), call)
    await createRsvp(testRsvp(), { ...call, sendsMail: false })
    expect(await db.$count(allowances)).toBe(0)
    expect(await queued()).toEqual([])
    const once = { ...testRsvp(), idempotencyKey: 'key-1' }
    await createRsvp(once, call)
    await createRsvp(once, call)
    expect(await queued()).toHaveLength(1)
  })
})
