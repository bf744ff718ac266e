import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps, UNSTAMPED } from '#db/rsvp/table.ts'
import { changeSchedule } from '#db/schedule/operations.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { db } from '#db/storage/client.ts'
import { stampServiceDates } from './stamp.ts'

/** Stores RSVPs that came at these moments, without a stamp, and returns the stamps of all by then. */
async function stampsOf(moments: string[]): Promise<string[]> {
  const own = { name: 'Ana', email: 'ana@cole.example', attending: true, addToCalendar: false, publicName: 'A.' }
  const rows = moments.map((createdAt) => ({ ...own, key: randomUUID(), createdAt, serviceDate: UNSTAMPED }))
  if (rows.length > 0) await db.batch([db.insert(rsvps).values(rows)])
  await stampServiceDates()
  const stamped = await db.select({ date: rsvps.serviceDate }).from(rsvps).orderBy(rsvps.id)
  return stamped.map(({ date }) => date)
}

describeOnBothDatabases('stampServiceDates', () => {
  beforeEach(async () => {
    await db.batch([db.delete(rsvps), db.delete(schedules), db.delete(skippedDates)])
    await changeSchedule({ timeZone: 'America/Chicago', skippedDates: ['2025-01-18'] }, testCall())
  })

  it('takes the service that was next when each came, whatever their order', async () => {
    const dates = [
      ['2025-01-06T12:00:00.000Z', '2025-01-11'],
      // The service is from ten to noon, six hours behind UTC.
      ['2025-01-11T17:59:59.999Z', '2025-01-11'],
      ['2025-01-11T18:00:00.000Z', '2025-01-25'],
      ['2024-07-01T00:00:00.000Z', '2024-07-06'],
      ['2025-01-06T12:00:00.000Z', '2025-01-11'],
    ]
    expect(await stampsOf(dates.map(([moment = '']) => moment))).toEqual(dates.map(([, date]) => date))
  })

  it('takes that before which they had closed', async () => {
    await changeSchedule({ closesMinutesBefore: 60 }, testCall())
    expect(await stampsOf(['2025-01-11T14:59:59.999Z', '2025-01-11T15:00:00.000Z'])).toEqual([
      '2025-01-11',
      '2025-01-25',
    ])
  })

  it('keeps the stamps that there are, and has an end where a moment is none', async () => {
    await createRsvp(testRsvp({ serviceDate: '2025-02-01' }), testCall())
    const [kept, stamped] = await stampsOf(['last week'])
    expect([kept, stamped]).toEqual(['2025-02-01', '1970-01-03'])
    expect(await stampsOf([])).toEqual([kept, stamped])
  })
})
