import { describe, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { skippedDates } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { testSchedule } from '#db/values/schedule-fixtures.ts'
import { serviceOn, servicesFrom } from '#db/values/services.ts'
import { openForTests, storeRows, testCall } from '#testing/database-fixtures.ts'
import { changeSchedule, daysMoved } from './service-dates.ts'

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

const weekdays = [0, 1, 2, 3, 4, 5, 6]
/** Each day of a week, before, at and after the service. */
const moments = weekdays.flatMap((day) =>
  ['00:30', '11:00', '18:01'].map((time) => new Date(`${addDays('2026-11-15', day)}T${time}:00Z`)),
)

describe('daysMoved', () => {
  it.each([0, 2])(
    'leads every service to come onto a later one of the other weekday, in order, where the next %i are skipped',
    (count) => {
      const wrong: unknown[] = []
      for (const now of moments)
        for (const from of weekdays)
          for (const to of weekdays) {
            const all = testSchedule({ weekday: from, timeZone: 'UTC' })
            const dates = Array.from(servicesFrom(all, now).take(4), ({ date }) => date)
            const before = { ...all, skippedDates: dates.slice(0, count) }
            const after = { ...before, weekday: to }
            const days = daysMoved(before, after, now)
            const moved = dates.map((date) => addDays(date, days))
            const isOver = (date: string) => serviceOn(after, date).endsAt <= now.toISOString()
            const isNearest = Math.abs(days) <= 3 || isOver(addDays(moved[0] ?? '', -7))
            // Also those that are skipped: the people who wanted to come then are to be found in a week to come.
            const isRight = moved.every((date) => weekdayOf(date) === to && !isOver(date)) && isNearest
            if (!isRight) wrong.push({ now, from, to, moved })
          }
      expect(wrong).toEqual([])
    },
  )
})
