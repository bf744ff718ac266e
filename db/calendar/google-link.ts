import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'
import { currentService, serviceOn } from '#db/schedule/services.ts'
import type { CalendarSeries } from './schema.ts'
import { detailsOf, titleOf, weekdayName } from './schema.ts'

/** Bytes per text. Google refuses long URLs, in which a byte can take three characters. */
const TEXT_MAXIMUM = 600

/**
 * A link that opens Google Calendar with the series filled in, from the current or next service on, or with the service
 * of one day.
 * @param page the address of the share page.
 */
export function googleLink(series: CalendarSeries, page: string, now: Date, day?: string): string {
  const { event, schedule, church } = series
  const { startsAt, endsAt } = day === undefined ? currentService(schedule, now) : serviceOn(schedule, day)
  const wallTime = (moment: string) => format(new TZDate(moment, schedule.timeZone), "yyyyMMdd'T'HHmmss")
  const fields = new URLSearchParams({
    action: 'TEMPLATE',
    text: shortened(titleOf(event, church)),
    dates: `${wallTime(startsAt)}/${wallTime(endsAt)}`,
    ctz: schedule.timeZone,
    ...(day === undefined && { recur: `RRULE:FREQ=WEEKLY;BYDAY=${weekdayName(schedule.weekday)}` }),
    location: shortened(event.location),
    // A shortened map link would not work; Google links the location itself.
    details: detailsOf({ ...event, mapLink: undefined }, page)
      .map(shortened)
      .join('\n\n'),
  })
  // `+` means a space only in forms.
  return `https://calendar.google.com/calendar/render?${fields}`.replaceAll('+', '%20')
}

function shortened(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= TEXT_MAXIMUM) return text
  const ellipsis = '…'
  // In stream mode the decoder drops a character that was cut in two.
  const kept = bytes.subarray(0, TEXT_MAXIMUM - Buffer.byteLength(ellipsis))
  return new TextDecoder().decode(kept, { stream: true }) + ellipsis
}
