import { type ReactNode, useEffect, useRef } from 'react'
import { weekdayOf } from '#db/values/dates.ts'
import { parseUrl } from '#db/values/url.ts'
import { AttendanceMark } from '#site/islands/Attendance.tsx'
import { RoleList } from '#site/islands/RoleName.tsx'
import { useHydrated } from '#site/lib/hooks.ts'
import type { Recorded } from '#site/lib/recorded.ts'
import { copyLink } from '#site/stores/clipboard.ts'
import { isAnotherRemembered, rememberThanks } from '#site/stores/thanks.ts'
import { dayText, weekdayName } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { calendar, chat, check, Icon, pin } from '#site/ui/Icon.tsx'
import { NameList, Sentence } from '#site/ui/Sentence.tsx'

export type Invitation = {
  /** When the service begins, e.g. `10:00 AM`, if the schedule says so. */
  time: string | undefined
  /** The address of a map or of the place itself. */
  directions: string | undefined
}

/** The thank-you for an RSVP, which shows what was recorded. */
export function Thanks({
  recorded,
  calendar,
  invitation,
  takesFocus = false,
  isRemembered,
  onDone,
  children,
}: {
  recorded: Recorded
  calendar: boolean
  invitation: Invitation
  /** Whether the thank-you has just replaced the form. */
  takesFocus?: boolean
  /** Whether the device keeps the thank-you, and not only this tab; undefined if neither does. */
  isRemembered?: boolean
  /** Called when the visitor dismisses the thank-you. Without it there is no button. */
  onDone?: () => void
  /** Texts for first-time visitors. */
  children?: ReactNode
}) {
  const { name, attending, serviceDate, calendarType, link, mail = [] } = recorded
  const day = serviceDate && dayText(serviceDate)
  const title = useRef<HTMLHeadingElement>(null)
  // Closes the form for another family, which an anchor has opened. No element has the id `thanks`.
  useEffect(() => {
    if (location.hash.startsWith('#rsvp-')) location.replace('#thanks')
    if (!takesFocus) return
    title.current?.focus({ preventScroll: true })
    // Focus alone would scroll the title to the middle of the screen.
    title.current?.scrollIntoView({ block: 'nearest' })
  }, [takesFocus])

  return (
    <div className="column thanks">
      <h3 className="thanks__title" ref={title} tabIndex={-1}>
        {attending && (
          <>
            <span className="thanks__mark">
              <Icon shape={check} />
            </span>
            <Farewell serviceDate={serviceDate} time={invitation.time} />{' '}
          </>
        )}
        <span>{t('Thank you, {name}', { name })}</span>
      </h3>
      <div>
        <p>
          {day ? t('We have written down your answer for {day}:', { day }) : t('We have written down your answer:')}
        </p>
        <ul className="thanks__list">
          <RecordedItems recorded={{ ...recorded, remind: recorded.remind && mail.includes('reminder') }} />
          {mail.includes('confirmation') && <li>{t('You get a confirmation by email.')}</li>}
        </ul>
      </div>
      {attending && recorded.firstVisit && children}
      {link === undefined ? (
        <p>{t('Plans changed? Let the church office know.')}</p>
      ) : (
        <PrivateLink link={link} everyWeek={recorded.everyWeek} isRemembered={isRemembered} />
      )}
      {attending && calendar && serviceDate && (
        <CalendarLinks chosen={calendarType} day={serviceDate} everyWeek={recorded.everyWeek} />
      )}
      <p className="flow thanks__next">
        {attending && invitation.directions && (
          <a className={buttonClass('quiet')} href={invitation.directions} target="_blank" rel="noopener noreferrer">
            <Icon shape={pin} />
            {t('Directions')}
          </a>
        )}
        <a className={buttonClass('quiet')} href="#share-title">
          <Icon shape={chat} />
          {t('Invite others')}
        </a>
      </p>
      {/* Always shown, so as not to reveal whether there was an earlier RSVP. */}
      <p className="thanks__small">
        {t(
          'If you respond again with the same name and email, the newest response counts. To change an earlier one, use its private link.',
        )}
      </p>
      {onDone && (
        <Button variant="quiet" onClick={onDone}>
          {isRemembered ? t('Forget on this device') : t('Done')}
        </Button>
      )}
    </div>
  )
}

export function RecordedItems({ recorded }: { recorded: Recorded }) {
  const { attending, coming, roles, hasMessage, hasPrayer, everyWeek, remind } = recorded
  return (
    <>
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
      {attending && everyWeek && <li>{t('Every week: you are expected at each service until you say otherwise.')}</li>}
      {hasMessage && <li>{t('Your message is with the church.')}</li>}
      {hasPrayer && <li>{t('Your prayer request is with those who may read it.')}</li>}
      {attending && remind && <li>{t('We remind you by email the day before.')}</li>}
    </>
  )
}

function Farewell({ serviceDate, time }: { serviceDate: string | undefined; time: string | undefined }) {
  if (!serviceDate || !time) return <span>{t('See you there')}</span>
  return <span>{t('See you {weekday} at {time}', { weekday: weekdayName(weekdayOf(serviceDate)), time })}</span>
}

/** Links that add the service, or all services, to the chosen calendar, or to either if none was chosen. */
function CalendarLinks({ chosen, day, everyWeek }: { chosen: string | null; day: string; everyWeek: boolean }) {
  const look = buttonClass(chosen === null ? 'secondary' : 'primary')
  const ical = everyWeek ? '/calendar.ics' : `/calendar.ics?date=${day}`
  const google = everyWeek ? `${ical}?to=google` : `${ical}&to=google`
  return (
    <div className="column">
      <p>
        {everyWeek
          ? t('For your calendar, every {weekday}:', { weekday: weekdayName(weekdayOf(day)) })
          : t('For your calendar, only on {day}:', { day: dayText(day) })}
      </p>
      <p className="calendar-links__links">
        {chosen !== 'ical' && (
          <a className={look} href={google} target="_blank" rel="noopener noreferrer">
            <Icon shape={calendar} />
            {t('Add to Google Calendar')}
          </a>
        )}
        {chosen !== 'google' && (
          <a className={look} href={ical}>
            <Icon shape={calendar} />
            {t('Add to calendar (.ics)')}
          </a>
        )}
      </p>
    </div>
  )
}

/** The private link of an RSVP, to open, to copy, or to remember on this device. */
function PrivateLink({
  link,
  everyWeek,
  isRemembered,
}: {
  link: string
  everyWeek: boolean
  isRemembered: boolean | undefined
}) {
  const isShown = parseUrl(link)?.searchParams.has('key')
  const input = useRef<HTMLInputElement>(null)
  const change = <a href={link}>{t('Change or withdraw')}</a>
  // After a form post without JavaScript, the thank-you is never hydrated, so its buttons would do nothing.
  const hydrated = useHydrated()
  return (
    <div className="column private-link">
      <p>
        {everyWeek ? (
          <Sentence text="Plans changed, for one week or for all? {link} whenever you like." link={change} />
        ) : (
          <Sentence text="Plans changed? {link} until the service is over." link={change} />
        )}
      </p>
      {isShown && (
        <Field
          label={
            <>
              {t('Your private link')}{' '}
              <small className="thanks__small">{t('Whoever has it can change your RSVP.')}</small>
            </>
          }
          ref={input}
          readOnly
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {isShown && hydrated && (
        <Button
          variant="secondary"
          onClick={() => copyLink(link, input.current, t('Your private link has been copied to clipboard!'))}
        >
          {t('Copy Private Link')}
        </Button>
      )}
      {isShown && isRemembered !== undefined && (
        <div>
          <Checkbox
            aria-describedby="remember-meaning"
            checked={isRemembered}
            onChange={(event) => rememberThanks(event.currentTarget.checked)}
          >
            {t('Remember this on this device')}
          </Checkbox>
          <p id="remember-meaning" className="thanks__small">
            {everyWeek
              ? t('Whoever uses this device then sees it here and can change it.')
              : t('Whoever uses this device then sees it here and can change it, until the service is over.')}{' '}
            {!isRemembered && isAnotherRemembered() && t('It takes the place of the one that is remembered now.')}
          </p>
        </div>
      )}
    </div>
  )
}
