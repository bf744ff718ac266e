import { useEffect, useRef } from 'react'
import type { CalendarLinks as Links } from '#db/calendar/schema.ts'
import { AttendanceMark } from '#site/islands/AttendanceMark.tsx'
import type { Recorded } from '#site/lib/recorded.ts'
import { CalendarLinks } from './CalendarLinks.tsx'
import { PrivateLink } from './PrivateLink.tsx'

/** Shows what was recorded, also after the thank-you notice has gone. */
export function Thanks({
  recorded: { name, attending, coming, roles, day, calendarType, link },
  calendar,
}: {
  recorded: Recorded
  /** Whether visitors may add the service to their calendar; the server draws it with the links. */
  calendar: boolean | Links | null
}) {
  const title = useRef<HTMLHeadingElement>(null)
  // The form has been cleared, so the focus moves here.
  useEffect(() => title.current?.focus(), [])

  return (
    <div className="thanks">
      <h3 className="thanks__title" ref={title} tabIndex={-1}>
        Thank you, {name}
      </h3>
      <p>We have written down your answer{day && ` for ${day}`}:</p>
      <ul className="thanks__list">
        <li>
          <AttendanceMark attending={attending} />
        </li>
        {coming.length > 0 && (
          <li>
            {attending ? 'Coming: ' : 'Coming without you: '}
            {coming.join(', ')}
          </li>
        )}
        {roles.length > 0 && <li>You offered to help with: {roles.join(', ')}</li>}
      </ul>
      {attending && calendar && <CalendarLinks chosen={calendarType} rendered={calendar === true ? null : calendar} />}
      {link === undefined ? (
        <p>Plans changed? Let the church office know.</p>
      ) : (
        <PrivateLink link={link} saysDay={day !== undefined} />
      )}
    </div>
  )
}
