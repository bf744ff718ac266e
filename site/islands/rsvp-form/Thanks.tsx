import { type ReactNode, useEffect, useRef } from 'react'
import { parseUrl } from '#db/values/url.ts'
import { AttendanceMark } from '#site/islands/Attendance.tsx'
import { RoleList } from '#site/islands/RoleName.tsx'
import { useHydrated } from '#site/lib/hooks.ts'
import { type Recorded, withdrawnText } from '#site/lib/recorded.ts'
import { copyLink } from '#site/stores/clipboard.ts'
import { RSVP_FORM_ID } from '#site/stores/rsvp-form.ts'
import { beginAgain, isAnotherRemembered, rememberThanks } from '#site/stores/thanks.ts'
import { dayText } from '#site/texts/dates.ts'
import { farewellText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { calendar, chat, check, copy, Icon, pin } from '#site/ui/Icon.tsx'
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
  const { name, attending, serviceDate, link = '', mail = [] } = recorded
  const hasKey = parseUrl(link)?.searchParams.has('key')
  // After a form post without JavaScript, the thank-you is never hydrated, so its buttons would do nothing.
  const hydrated = useHydrated()
  const [mainCalendar, otherCalendar] = attending && calendar && serviceDate ? calendarLinks(recorded, serviceDate) : []
  const title = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLInputElement>(null)
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
            <span>{farewellText(serviceDate, invitation.time)}</span>{' '}
          </>
        )}
        <span>{t('Thank you, {name}', { name })}</span>
      </h3>
      <ul className="thanks__list">
        <RecordedItems
          recorded={{ ...recorded, remind: recorded.remind && mail.includes('reminder') }}
          day={serviceDate && dayText(serviceDate)}
        />
        {mail.includes('confirmation') && <li>{t('You get a confirmation by email.')}</li>}
      </ul>
      {attending && recorded.firstVisit && children}
      {attending && (
        <p className="thanks__next">
          {mainCalendar && <ActionLink {...mainCalendar} />}
          <ActionLink look="secondary" icon={chat} text={t('Invite others')} href="#share-title" />
        </p>
      )}
      <div className="column">
        <p>
          <PlansChanged {...recorded} />
        </p>
        {hydrated && hasKey && (
          <Button
            variant="quiet"
            onClick={() => copyLink(link, field.current, t('Your private link has been copied to clipboard!'))}
          >
            <Icon shape={copy} />
            {t('Copy Private Link')}
          </Button>
        )}
      </div>
      <details className="disclosure">
        <summary>{t('More')}</summary>
        <div className="column">
          {otherCalendar && <ActionLink {...otherCalendar} look="quiet" />}
          {attending && invitation.directions && (
            <ActionLink look="quiet" icon={pin} text={t('Directions')} href={invitation.directions} target="_blank" />
          )}
          {hasKey && (
            <Field
              label={t('Your private link')}
              hint={t('Whoever has it can change your RSVP.')}
              ref={field}
              readOnly
              value={link}
              onFocus={(event) => event.currentTarget.select()}
            />
          )}
          {hasKey && isRemembered !== undefined && (
            <div>
              <Checkbox
                aria-describedby="remember-meaning"
                checked={isRemembered}
                onChange={(event) => rememberThanks(event.currentTarget.checked)}
              >
                {t('Remember this on this device')}
              </Checkbox>
              <p id="remember-meaning" className="thanks__small">
                {t('Whoever uses this device then sees it here and can change it.')}{' '}
                {!isRemembered && isAnotherRemembered() && t('It takes the place of the one that is remembered now.')}
              </p>
            </div>
          )}
          {/* Always shown, so as not to reveal whether there was an earlier RSVP. */}
          <p className="thanks__small">
            {t(
              'If you respond again with the same name and email, the newest response counts. To change an earlier one, use its private link.',
            )}
          </p>
          <AnotherFamily />
          {onDone && (
            <Button variant="quiet" onClick={onDone}>
              {isRemembered ? t('Forget on this device') : t('Done')}
            </Button>
          )}
        </div>
      </details>
    </div>
  )
}

/** Its anchor shows the form, which CSS hides after an RSVP, and then CSS hides this link. */
export function AnotherFamily() {
  return (
    <a className={`rsvp-form__another ${buttonClass('secondary')}`} href={`#${RSVP_FORM_ID}`} onClick={beginAgain}>
      {t('Respond for another family')}
    </a>
  )
}

/** @param day shown instead of "Attending", which the farewell says. */
export function RecordedItems({ recorded, day }: { recorded: Recorded; day?: string | undefined }) {
  const { attending, coming, roles, hasMessage, hasPrayer, everyWeek, isWithdrawn, remind } = recorded
  return (
    <>
      {day && !(everyWeek && isWithdrawn) && <li className="item__name">{day}</li>}
      {(!attending || !day) && (
        <li>{isWithdrawn ? withdrawnText(everyWeek) : <AttendanceMark attending={attending} />}</li>
      )}
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

function PlansChanged({ link, everyWeek, isWithdrawn }: Recorded) {
  if (link === undefined) return t('Plans changed? Let the church office know.')
  if (isWithdrawn) return <a href={link}>{t('Take that back')}</a>
  const change = <a href={link}>{t('Change or withdraw')}</a>
  if (!everyWeek) return <Sentence text="Plans changed? {link} until the service is over." link={change} />
  return <Sentence text="Plans changed, for one week or for all? {link} whenever you like." link={change} />
}

/** Links that add the service, or all services, to the chosen calendar, or to each: first that which suits the device. */
function calendarLinks({ calendarType, everyWeek }: Recorded, day: string) {
  const file = everyWeek ? '/calendar.ics' : `/calendar.ics?date=${day}`
  const href = everyWeek ? `${file}?to=google` : `${file}&to=google`
  const google = { icon: calendar, text: t('Add to Google Calendar'), href, target: '_blank' }
  const ical = { icon: calendar, text: t('Add to calendar (.ics)'), href: file }
  if (calendarType !== null) return [calendarType === 'ical' ? ical : google]
  return /Mac|iP/.test(navigator.userAgent) ? [ical, google] : [google, ical]
}

type Action = { icon: string; text: string; href: string; look?: 'secondary' | 'quiet'; target?: string }

function ActionLink({ icon, text, look, ...link }: Action) {
  return (
    <a className={buttonClass(look)} {...link} rel="noopener noreferrer">
      <Icon shape={icon} />
      {text}
    </a>
  )
}
