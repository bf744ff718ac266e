import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants'
import * as z from 'zod/mini'
import { addDays, weekdayOf } from './dates.ts'
import {
  type CurrentSchedule,
  type Schedule,
  SERVICES_OFFERED,
  type Service,
  type StoredSchedule,
  weekNames,
} from './schedule.ts'
import { calendarDay } from './schemas.ts'
import { dayIn, momentOf } from './time-zone.ts'

/** The endless series of services that are not over at a moment, in order, without skipped ones. */
export function* servicesFrom(schedule: Schedule, moment: Date): Generator<Service, never> {
  const { weekday, durationMinutes, timeZone, skippedDates } = schedule
  const skipped = new Set(skippedDates)
  // The earliest service that may not be over yet.
  const earliest = new Date(moment.getTime() - durationMinutes * millisecondsInMinute - millisecondsInDay)
  const day = dayIn(timeZone, earliest)
  for (let date = addDays(day, (weekday - weekdayOf(day) + 7) % 7); ; date = addDays(date, 7)) {
    const service = serviceOn(schedule, date)
    if (!skipped.has(date) && service.endsAt > moment.toISOString()) yield service
  }
}

/** The service of this week: the one being held, otherwise the next one. */
export function currentService(schedule: Schedule, now: Date): Service {
  return first(servicesFrom(schedule, now))
}

/** The service of this week, even if it is skipped. */
export function scheduledService(schedule: Schedule, now: Date): Service {
  return currentService({ ...schedule, skippedDates: [] }, now)
}

/** The day of the last service held before this week's; skipped ones do not count. */
export function lastServiceDay(schedule: StoredSchedule, now: Date): string {
  const { skippedDates, since, previousService } = schedule
  let date = currentService(schedule, now).date
  do date = addDays(date, -7)
  while (skippedDates.includes(date))
  // Before `since`, services were at other times.
  return previousService !== null && date < since ? previousService : date
}

/** The services that visitors can choose from; the first is the default. */
export function offeredServices(schedule: Schedule, now: Date): Service[] {
  const moment = now.toISOString()
  const open = servicesFrom(schedule, now).filter(({ closesAt }) => closesAt > moment)
  return open.take(SERVICES_OFFERED).toArray()
}

/** The offered services after those that are closed but not over: at most two, as a service closes up to a week before. */
export function servicesAhead(schedule: Schedule, now: Date): Service[] {
  const isClosed = ({ closesAt }: Service) => closesAt <= now.toISOString()
  return [...servicesFrom(schedule, now).take(2).filter(isClosed), ...offeredServices(schedule, now)]
}

/** The service of an RSVP that names none. */
export function nextService(schedule: Schedule, now: Date): Service {
  return first(offeredServices(schedule, now).values())
}

/**
 * The service on a day, even if the schedule has none then. If clocks skip its start, it begins that much later; if they
 * show it twice, it begins the first time. Its duration stays the same.
 */
export function serviceOn(schedule: Schedule, date: string): Service {
  const { startTime, durationMinutes, timeZone, closesMinutesBefore } = schedule
  const start = momentOf(timeZone, date, startTime).getTime()
  const end = start + durationMinutes * millisecondsInMinute
  const closing = closesMinutesBefore === null ? end : start - closesMinutesBefore * millisecondsInMinute
  return { date, startsAt: isoOf(start), endsAt: isoOf(end), closesAt: isoOf(closing) }
}

const noSuchWeek = `A week is ${weekNames.join(', ')}, or the day of its service, e.g. 2026-11-21.`

type WithLastService = Schedule & Pick<CurrentSchedule, 'lastService'>

/** A name, or the day of a service. */
export const weekWord = z.union([z.enum(weekNames), calendarDay], noSuchWeek)

/**
 * The day of a week's service; undefined for all weeks. This week's is under way or the next one, last week's is the
 * one held before it; weeks with a skipped service do not count.
 */
export function weekDate(week: string, schedule: WithLastService, now: Date): string | undefined {
  if (week === 'this') return currentService(schedule, now).date
  if (week === 'next') return first(servicesFrom(schedule, now).drop(1)).date
  if (week === 'last') return schedule.lastService
  return week === 'all' ? undefined : week
}

/** Why there is no service on a day: it is skipped, or services are on another weekday. */
export type NoService = { date: string; skipped: boolean; weekday: number }

/** Undefined if the schedule has a service on that day, or the last service was held then. */
export function findNoService(
  date: string,
  { weekday, skippedDates, lastService }: Pick<CurrentSchedule, 'weekday' | 'skippedDates' | 'lastService'>,
): NoService | undefined {
  const skipped = skippedDates.includes(date)
  if ((weekday === weekdayOf(date) && !skipped) || date === lastService) return undefined
  return { date, skipped, weekday }
}

/** In the order of their numbers. */
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export function weekdayText(weekday: number): string {
  return weekdayNames[weekday] ?? ''
}

/** E.g. `10:00 AM to 12:00 PM`. */
export function timesText(service: { startsAt: string; endsAt: string; timeZone: string }): string {
  const [start, end] = [service.startsAt, service.endsAt].map((moment) => clockText(timeAt(moment, service.timeZone)))
  return `${start} to ${end}`
}

/** The local time of a moment, `HH:mm`. */
function timeAt(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(new Date(moment))
}

/** `18:30` becomes `6:30 PM`. */
export function clockText(time: string): string {
  const [hours = 0, minutes = '00'] = [Number(time.slice(0, 2)), time.slice(3)]
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}

function isoOf(moment: number): string {
  return new Date(moment).toISOString()
}

function first(services: IteratorObject<Service>): Service {
  const [service] = services.take(1)
  if (service === undefined) throw new Error('There is always another service.')
  return service
}
