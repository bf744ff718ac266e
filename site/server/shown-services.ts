import { type EventTimes, findContradictions } from '#db/schedule/contradictions.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { currentService, servicesFrom } from '#db/schedule/services.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { type OfferedServices, type ServiceDay, serviceDay } from '#site/lib/service-days.ts'
import { dayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'

/** What visitors' pages say of services. */
type ShownServices = OfferedServices & {
  /** The service whose RSVPs are listed; all are while the schedule is only the default. */
  listed?: ServiceDay | undefined
}

/** Offers none while the schedule is only the default and the event says something else. */
export function shownServices(schedule: CurrentSchedule, event: EventTimes, now: Date): ShownServices {
  if (!schedule.confirmed && findContradictions(event, schedule).length > 0) return { offered: [] }
  const offered = schedule.services.map(({ date }) => serviceDay(date))
  const listed = schedule.confirmed ? serviceDay(currentService(schedule, now).date) : undefined
  return { offered, note: noteOf(schedule, now), skipped: skippedBetween(schedule), listed }
}

function noteOf({ services: [next], ...schedule }: CurrentSchedule, now: Date): string | undefined {
  if (next === undefined) return undefined
  const missed: string[] = []
  for (const { date } of servicesFrom({ ...schedule, skippedDates: [] }, now)) {
    if (date >= next.date) break
    missed.push(date)
  }
  if (missed.length === 0) return undefined
  const skipped = missed.filter((date) => schedule.skippedDates.includes(date))
  const closed = missed.filter((date) => !skipped.includes(date))
  const sentences = closed.map((date) => t('Responses for {day} are closed.', { day: dayText(date) }))
  return [...sentences, ...sentenceOfSkipped(skipped), t('The next is on {day}.', { day: dayText(next.date) })].join(
    ' ',
  )
}

function skippedBetween({ services, skippedDates, weekday }: CurrentSchedule): string | undefined {
  const [first = '', last = ''] = [services[0]?.date, services.at(-1)?.date]
  const sentences: string[] = []
  let together: string[] = []
  for (const date of skippedDates) {
    if (date <= first || date >= last || weekdayOf(date) !== weekday) continue
    if (together.length > 0 && !together.includes(addDays(date, -7))) {
      sentences.push(...sentenceOfSkipped(together))
      together = []
    }
    together.push(date)
  }
  return [...sentences, ...sentenceOfSkipped(together)].join(' ') || undefined
}

function sentenceOfSkipped(dates: string[]): string[] {
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return []
  if (first === last) return [t('No service on {day}.', { day: dayText(first) })]
  return [t('No services from {first} to {last}.', { first: dayText(first), last: dayText(last) })]
}
