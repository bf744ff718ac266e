import { useEffect, useRef } from 'react'
import type { CalendarLinks as Links } from '#db/calendar/schema.ts'
import { AttendanceMark } from '#site/islands/AttendanceMark.tsx'
import { RoleList } from '#site/islands/RoleList.tsx'
import type { Recorded } from '#site/lib/recorded.ts'
import { RSVP_FORM_ID } from '#site/lib/rsvp-form.ts'
import { dayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { NameList } from '#site/ui/NameList.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { CalendarLinks } from './CalendarLinks.tsx'
import { Farewell, type Invitation, NextSteps } from './Farewell.tsx'
import { PrivateLink } from './PrivateLink.tsx'

/** Shows what was recorded, also after the thank-you notice has gone. */
export function Thanks({
  recorded: { name, attending, coming, roles, hasMessage, serviceDate, calendarType, link },
  calendar,
  invitation,
}: {
  recorded: Recorded
  /** Whether visitors may add the service to their calendar; the server draws it with the links. */
  calendar: boolean | Links | null
  /** What it is for, where an RSVP was just submitted. */
  invitation?: Invitation | undefined
}) {
  const day = serviceDate && dayText(serviceDate)
  const title = useRef<HTMLHeadingElement>(null)
  // The form has been cleared, so the focus moves here. What opened the form for another family is undone.
  useEffect(() => {
    if (location.hash === `#${RSVP_FORM_ID}`) location.replace('#rsvp-title')
    title.current?.focus()
  }, [])

  return (
    <div className={invitation && attending ? 'thanks thanks--coming' : 'thanks'}>
      {invitation && attending && <Farewell serviceDate={serviceDate} invitation={invitation} />}
      <h3 className="thanks__title" ref={title} tabIndex={-1}>
        {t('Thank you, {name}', { name })}
      </h3>
      <p>{day ? t('We have written down your answer for {day}:', { day }) : t('We have written down your answer:')}</p>
      <ul className="thanks__list">
        <li>
          <AttendanceMark attending={attending} />
        </li>
        {coming.length > 0 && (
          <li>
            {attending ? (
              <Sentence text="Coming: {names}" names={<NameList names={coming} />} />
            ) : (
              <Sentence text="Coming without you: {names}" names={<NameList names={coming} />} />
            )}
          </li>
        )}
        {roles.length > 0 && (
          <li>
            <Sentence
              text="You offered to help with: {roles}"
              roles={<RoleList roles={roles.map((name) => ({ name }))} />}
            />
          </li>
        )}
        {hasMessage && <li>{t('Your message is with the church.')}</li>}
      </ul>
      {invitation && <NextSteps attending={attending} directions={invitation.directions} />}
      {attending && calendar && <CalendarLinks chosen={calendarType} rendered={calendar === true ? null : calendar} />}
      {link === undefined ? (
        <p>{t('Plans changed? Let the church office know.')}</p>
      ) : (
        <PrivateLink link={link} saysDay={day !== undefined} />
      )}
    </div>
  )
}
