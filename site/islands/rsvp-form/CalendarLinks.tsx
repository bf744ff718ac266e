import type { CalendarLinks as Links } from '#db/calendar/schema.ts'
import { useResource } from '#site/lib/hooks/use-resource.ts'
import { $calendar } from '#site/stores/calendar.ts'
import { weekdayName } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { calendar } from '#site/ui/icons.ts'

/** Links that put the weekly service into the calendar that was chosen, or into either where none was. */
export function CalendarLinks({
  chosen,
  rendered,
}: {
  chosen: string | null
  /** What the server sent with the page. */
  rendered: Links | null
}) {
  const { data: links } = useResource(rendered, $calendar)
  if (!links) return null

  return (
    <div className="calendar-links">
      <p>
        {t('For your calendar: the service every {weekday}, not only this one.', {
          weekday: weekdayName(links.weekday),
        })}
      </p>
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
    </div>
  )
}
