import { useEffect, useRef } from 'react'
import type { CalendarLinks as Links } from '#db/calendar/schema.ts'
import { AttendanceMark } from '#site/islands/AttendanceMark.tsx'
import { RoleList } from '#site/islands/RoleList.tsx'
import type { Recorded } from '#site/lib/recorded.ts'
import { dayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { NameList } from '#site/ui/NameList.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { CalendarLinks } from './CalendarLinks.tsx'
import { Farewell, type Invitation, NextSteps } from './Farewell.tsx'
import { focusTitle } from './follow-remembered.ts'
import { PrivateLink } from './PrivateLink.tsx'

/** Shows what was recorded, also after the thank-you notice has gone. */
export function Thanks({
  recorded: { name, attending, coming, roles, hasMessage, serviceDate, calendarType, link },
  calendar,
  invitation,
  takesFocus = false,
  onDone,
}: {
  recorded: Recorded
  /** Whether visitors may add the service to their calendar; the server draws it with the links. */
  calendar: boolean | Links | null
  /** What it is for, where an RSVP was just submitted. */
  invitation?: Invitation | undefined
  /** Whether it has just come in place of the form, which was cleared. */
  takesFocus?: boolean
  /** Called once the visitor has seen it. Without it there is no button. */
  onDone?: () => void
}) {
  const day = serviceDate && dayText(serviceDate)
  const title = useRef<HTMLHeadingElement>(null)
  // What opened the form for another family is undone, by an anchor that no element has.
  useEffect(() => {
    if (location.hash.startsWith('#rsvp-')) location.replace('#thanks')
    if (takesFocus) title.current?.focus()
  }, [takesFocus])

  function finish() {
    onDone?.()
    focusTitle()
  }

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
      {link === undefined ? (
        <p>{t('Plans changed? Let the church office know.')}</p>
      ) : (
        <PrivateLink link={link} saysDay={day !== undefined} />
      )}
      {/* Said to everyone, so that it tells no one whether there was an earlier one. */}
      {invitation && (
        <p className="thanks__newest">
          {t(
            'If you respond again with the same name and email, the newest response counts. To change an earlier one, use its private link.',
          )}
        </p>
      )}
      {invitation && <NextSteps attending={attending} directions={invitation.directions} />}
      {attending && calendar && (
        <CalendarLinks chosen={calendarType} day={serviceDate} rendered={calendar === true ? null : calendar} />
      )}
      {onDone && (
        <Button variant="secondary" onClick={finish}>
          {t('Done')}
        </Button>
      )}
    </div>
  )
}
