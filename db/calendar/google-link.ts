import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'
import { currentService } from '#db/schedule/services.ts'
import { weekdayOf } from '#db/values/calendar-day.ts'
import { dayText } from '#db/values/day-text.ts'
import { detailsOf } from './details.ts'
import type { CalendarSeries } from './schema.ts'
import { weekdayName } from './weekday-name.ts'

/** Characters of each text. Google refuses long addresses, and one character can take twelve in them. */
const TEXT_MAXIMUM = 150
/** As a link has no way to leave weeks out, the next ones are named. */
const SKIPPED_NAMED = 4

/** Opens Google Calendar with the series filled in, from the current or next service on. `page` is the share page. */
export function googleLink({ event, schedule }: CalendarSeries, page: string, now: Date): string {
  const { date, startsAt, endsAt } = currentService(schedule, now)
  const wallTime = (moment: string) => format(new TZDate(moment, schedule.timeZone), "yyyyMMdd'T'HHmmss")
  const skipped = schedule.skippedDates.filter((day) => day > date && weekdayOf(day) === schedule.weekday)
  const fields = new URLSearchParams({
    action: 'TEMPLATE',
    text: shortened(event.eventTitle ?? event.title, TEXT_MAXIMUM),
    dates: `${wallTime(startsAt)}/${wallTime(endsAt)}`,
    ctz: schedule.timeZone,
    recur: `RRULE:FREQ=WEEKLY;BYDAY=${weekdayName(schedule.weekday)}`,
    location: shortened(event.location, TEXT_MAXIMUM),
    details: [
      ...(skipped.length > 0
        ? [
            `No service on ${skipped
              .slice(0, SKIPPED_NAMED)
              .map((day) => dayText(day))
              .join('; ')}.`,
          ]
        : []),
      // A link that is cut leads to no map; Google makes one of the location.
      ...detailsOf({ ...event, mapLink: undefined }, page).map((paragraph) => shortened(paragraph, TEXT_MAXIMUM)),
    ].join('\n\n'),
  })
  // A plus is a blank only in forms.
  return `https://calendar.google.com/calendar/render?${fields}`.replaceAll('+', '%20')
}

function shortened(text: string, maximum: number): string {
  const characters = Array.from(text)
  return characters.length > maximum ? `${characters.slice(0, maximum - 1).join('')}…` : text
}
