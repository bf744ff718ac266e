import * as z from 'zod/mini'
import { calendarDay } from '#db/values/schemas.ts'
import { type CurrentSchedule, type Schedule, weekNames } from './schema.ts'
import { currentService, servicesFrom } from './services.ts'

const noSuchWeek = `A week is ${weekNames.join(', ')}, or the day of its service, e.g. 2026-11-21.`

type WithLastService = Schedule & Pick<CurrentSchedule, 'lastService'>

/** A name, or the day of a service. */
export const weekWord = z.string(noSuchWeek).check(z.refine(isWeek, noSuchWeek))

/**
 * The day of the service that a week is about; undefined for all weeks. This week's is being held or the next one to be
 * held, last week's is the one that was held before it: weeks whose service is skipped are passed over.
 */
export function weekDate(week: string, schedule: WithLastService, now: Date): string | undefined {
  if (!isName(week)) return week
  switch (week) {
    case 'this':
      return currentService(schedule, now).date
    case 'next':
      return nextDate(schedule, now)
    case 'last':
      return schedule.lastService
    case 'all':
      return undefined
  }
}

function isWeek(word: string): boolean {
  return isName(word) || calendarDay.safeParse(word).success
}

function isName(week: string): week is (typeof weekNames)[number] {
  return weekNames.some((name) => name === week)
}

function nextDate(schedule: Schedule, now: Date): string | undefined {
  const [, next] = servicesFrom(schedule, now).take(2)
  return next?.date
}
