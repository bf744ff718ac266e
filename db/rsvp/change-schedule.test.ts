import { describe, expect, it } from 'vitest'
import { testSchedule } from '#db/schedule/schedule-fixtures.ts'
import { serviceOn, servicesFrom } from '#db/schedule/services.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { daysMoved } from './change-schedule.ts'

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
