import type { CalendarLinks as Links } from '#db/calendar/schema.ts'
import { weekdayText } from '#db/schedule/texts.ts'
import { useResource } from '#site/lib/hooks/use-resource.ts'
import { $calendar } from '#site/stores/calendar.ts'
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
      <p>For your calendar: the service every {weekdayText(links.weekday)}, not only this one.</p>
      <p className="calendar-links__links">
        {chosen !== 'ical' && (
          <a className={buttonClass('secondary')} href={links.google} target="_blank" rel="noopener noreferrer">
            <Icon shape={calendar} />
            Add to Google Calendar
          </a>
        )}
        {chosen !== 'google' && (
          <a className={buttonClass('secondary')} href={links.ical}>
            <Icon shape={calendar} />
            Add to calendar (.ics)
          </a>
        )}
      </p>
    </div>
  )
}
