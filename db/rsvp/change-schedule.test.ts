import { describe, expect, it } from 'vitest'
import { daysMoved } from '#db/rsvp/change-schedule.ts'
import { testSchedule } from '#db/schedule/schedule-fixtures.ts'
import { serviceOn, servicesFrom } from '#db/schedule/services.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'

const weekdays = [0, 1, 2, 3, 4, 5, 6]
/** Each day of a week, before, at and after the service. */
const moments = weekdays.flatMap((day) =>
  ['00:30', '11:00', '18:01'].map((time) => new Date(`${addDays('2026-11-15', day)}T${time}:00Z`)),
)

describe('daysMoved', () => {
  it.each(['none', 'the next service', 'the next two services'])(
    'leads every service to come onto a later one of the other weekday, in order, where %s is skipped',
    (skipped) => {
      const count = ['none', 'the next service', 'the next two services'].indexOf(skipped)
      for (const now of moments)
        for (const from of weekdays)
          for (const to of weekdays) {
            const all = testSchedule({ weekday: from, timeZone: 'UTC' })
            const dates = Array.from(servicesFrom(all, now).take(4), ({ date }) => date)
            const before = { ...all, skippedDates: dates.slice(0, count) }
            const after = { ...before, weekday: to }
            const days = daysMoved(before, after, now)
            const moved = dates.map((date) => addDays(date, days))
            expect([now, from, to, moved.map(weekdayOf)]).toEqual([now, from, to, moved.map(() => to)])
            // Also those that are skipped: the people who wanted to come then are to be found in a week to come.
            for (const date of moved) expect(serviceOn(after, date).endsAt > now.toISOString()).toBe(true)
            expect(
              Math.abs(days) <= 3 || serviceOn(after, addDays(moved[0] ?? '', -7)).endsAt <= now.toISOString(),
            ).toBe(true)
          }
    },
  )
})
