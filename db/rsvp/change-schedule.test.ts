import { describe, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { skippedDates } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { openForTests, storeRows, testCall } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'

describe('a schedule that is confirmed on another weekday', () => {
  openForTests()

  it('gives RSVPs the service that was next when each came, and moves those for later ones along', async () => {
    const sent = [
      // The service is from ten to noon on Sundays, six hours behind UTC.
      ['2025-01-05T17:59:59.999Z', '2025-01-11', '2025-01-05'],
      ['2025-01-05T18:00:00.000Z', '2025-01-11', '2025-01-19'],
      ['2024-07-01T00:00:00.000Z', '2024-07-06', '2024-07-07'],
      ['2025-01-06T12:00:00.000Z', '2025-02-01', '2025-02-02'],
    ]
    await storeRows(sent.map(([createdAt, serviceDate]) => ({ createdAt: String(createdAt), serviceDate })))
    const schedule = { weekday: 0, timeZone: 'America/Chicago', skippedDates: ['2025-01-12'] }
    await changeSchedule(schedule, testCall({ now: new Date('2025-01-06T14:00:00Z') }))
    const stored = await db.select({ date: rsvps.serviceDate }).from(rsvps).orderBy(rsvps.id)
    expect(stored.map(({ date }) => date)).toEqual(sent.map(([, , date]) => date))
  })
})

describe('the reason why a service is skipped', () => {
  openForTests()

  it('stays where other days are skipped, and moves along to another weekday', async () => {
    await changeSchedule({ weekday: 6, skippedDates: ['2025-01-18'], skipReason: 'We are away.' }, testCall())
    await changeSchedule({ skippedDates: ['2025-01-18', '2025-01-25'] }, testCall())
    await changeSchedule({ weekday: 0 }, testCall())
    const rows = [
      { date: '2025-01-19', reason: 'We are away.' },
      { date: '2025-01-26', reason: null },
    ]
    expect(await db.select().from(skippedDates)).toEqual(rows)
    await changeSchedule({ weekday: 1, skippedDates: ['2025-01-19'] }, testCall())
    expect(await db.select().from(skippedDates)).toEqual(rows.slice(0, 1))
    const long = { skippedDates: ['2025-02-02'], skipReason: 'x'.repeat(201) }
    await expect(changeSchedule(long, testCall())).rejects.toMatchObject({ fields: [{ path: 'skipReason' }] })
  })
})
