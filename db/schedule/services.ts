import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { dayIn, momentOf } from '#db/values/time-zone.ts'
import { type Schedule, SERVICES_OFFERED, type Service, type StoredSchedule } from './schema.ts'

/** The services that are not over at a moment, the next one first, without those that are skipped. Endless. */
export function* servicesFrom(schedule: Schedule, moment: Date): Generator<Service> {
  const { weekday, durationMinutes, timeZone, skippedDates } = schedule
  const skipped = new Set(skippedDates)
  // The service that is longest ago and may still be held.
  const earliest = new Date(moment.getTime() - durationMinutes * millisecondsInMinute - millisecondsInDay)
  const day = dayIn(timeZone, earliest)
  for (let date = addDays(day, (weekday - weekdayOf(day) + 7) % 7); ; date = addDays(date, 7)) {
    const service = serviceOn(schedule, date)
    if (!skipped.has(date) && service.endsAt > moment.toISOString()) yield service
  }
}

/** The service of this week: the one that is being held, or else the next one. */
export function currentService(schedule: Schedule, now: Date): Service {
  return first(servicesFrom(schedule, now))
}

/** The day of the service that was held before this week's: services that were skipped are passed over. */
export function lastServiceDay(schedule: StoredSchedule, now: Date): string {
  const { skippedDates, since, previousService } = schedule
  let date = currentService(schedule, now).date
  do date = addDays(date, -7)
  while (skippedDates.includes(date))
  // Before that day services were at other times.
  return previousService !== null && date < since ? previousService : date
}

/** The services that an RSVP can be for: the first one unless the visitor chooses another. */
export function offeredServices(schedule: Schedule, now: Date): Service[] {
  const moment = now.toISOString()
  const asked = JSON.stringify(schedule)
  // Every RSVP asks, and a time zone takes longer to calculate with than anything else that it needs.
  if (asked !== kept.schedule || moment < kept.from || moment >= kept.until) {
    const services = findOffered(schedule, now)
    kept = { schedule: asked, from: moment, until: services[0]?.closesAt ?? moment, services }
  }
  return kept.services
}

/** What was found last, and how long it holds. */
let kept: { schedule: string; from: string; until: string; services: Service[] } = {
  schedule: '',
  from: '',
  until: '',
  services: [],
}

function findOffered(schedule: Schedule, now: Date): Service[] {
  const offered: Service[] = []
  for (const service of servicesFrom(schedule, now)) {
    if (service.closesAt > now.toISOString()) offered.push(service)
    if (offered.length === SERVICES_OFFERED) break
  }
  return offered
}

/** The service that an RSVP is for where it names none. */
export function nextService(schedule: Schedule, now: Date): Service {
  const moment = now.toISOString()
  for (const service of servicesFrom(schedule, now)) if (service.closesAt > moment) return service
  throw new Error('There is always another service.')
}

/**
 * The service on a day, whether or not the schedule has one then. Where clocks are set forward over its start it begins
 * so much later; where they are set back it begins the first time. It lasts as long as it lasts on any other day.
 */
export function serviceOn(schedule: Schedule, date: string): Service {
  const { startTime, durationMinutes, timeZone, closesMinutesBefore } = schedule
  const start = momentOf(timeZone, date, startTime).getTime()
  const end = start + durationMinutes * millisecondsInMinute
  const closing = closesMinutesBefore === null ? end : start - closesMinutesBefore * millisecondsInMinute
  return { date, startsAt: isoOf(start), endsAt: isoOf(end), closesAt: isoOf(closing) }
}

function isoOf(moment: number): string {
  return new Date(moment).toISOString()
}

function first(services: Generator<Service>): Service {
  const { value } = services.next()
  if (value === undefined) throw new Error('There is always another service.')
  return value
}
