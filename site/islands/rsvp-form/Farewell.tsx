import { buttonClass } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { chat, check, pin } from '#site/ui/icons.ts'

/** What an RSVP was submitted for. */
export type Invitation = {
  /** As the event says it, e.g. `10:00 AM`. */
  time: string
  /** Where a map shows the place. */
  directions: string | undefined
}

/** What a visitor looks forward to, right after submitting. */
export function Farewell({ day, time }: { day: string | undefined; time: string }) {
  const weekday = day?.split(',')[0]
  // Only a time of day goes into the sentence: the event may say anything.
  const clock = /^\d{1,2}([:.]\d\d)?\s?([ap]\.?m\.?)?$/i.test(time) && ` at ${time}`
  return (
    <p className="farewell">
      <span className="farewell__mark">
        <Icon shape={check} />
      </span>
      {weekday ? `See you ${weekday}` : 'See you there'}
      {clock}
    </p>
  )
}

/** What people do next: find the way, and tell others. */
export function NextSteps({ attending, directions }: { attending: boolean; directions: string | undefined }) {
  return (
    <p className="thanks__next">
      {attending && directions && (
        <a className={buttonClass('secondary')} href={directions} target="_blank" rel="noopener noreferrer">
          <Icon shape={pin} />
          Directions
        </a>
      )}
      <a className={buttonClass('secondary')} href="#share-title">
        <Icon shape={chat} />
        Invite others
      </a>
    </p>
  )
}
