import type { CalendarLinks as Links } from '#db/calendar/schema.ts'
import { useResource } from '#site/lib/hooks/use-resource.ts'
import { $calendar } from '#site/stores/calendar.ts'
import { dayText, weekdayName } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { calendar } from '#site/ui/icons.ts'

/** Links that put the services into the calendar that was chosen, or into either where none was. */
export function CalendarLinks({
  chosen,
  day,
  rendered,
}: {
  chosen: string | null
  /** The service that the RSVP is for, where visitors are told of days. */
  day: string | undefined
  /** What the server sent with the page. */
  rendered: Links | null
}) {
  const { data: links } = useResource(rendered, $calendar)
  if (!links) return null

  return (
    <div className="calendar-links">
      <p>{t('For your calendar, every {weekday}:', { weekday: weekdayName(links.weekday) })}</p>
      <p className="calendar-links__links">
        {chosen !== 'ical' && (
          <a className={buttonClass('secondary')} href={links.google} target="_blank" rel="noopener noreferrer">
            <Icon shape={calendar} />
            {t('Add to Google Calendar')}
          </a>
        )}
        {chosen !== 'google' && (
          <a className={buttonClass('secondary')} href={links.ical}>
            <Icon shape={calendar} />
            {t('Add to calendar (.ics)')}
          </a>
        )}
      </p>
      {day && (
        <p>
          {t('Or only on {day}:', { day: dayText(day) })}
          {chosen !== 'ical' && (
            <a href={`${links.ical}?date=${day}&to=google`} target="_blank" rel="noopener noreferrer">
              {t('Google Calendar')}
            </a>
          )}
          {chosen !== 'google' && <a href={`${links.ical}?date=${day}`}>{t('iCal')}</a>}
        </p>
      )}
    </div>
  )
}
