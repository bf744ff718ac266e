import type { ReactNode } from 'react'
import type { Language } from '#db/language/languages.ts'
import { weekdayOf } from '#db/values/dates.ts'
import { weekdayName } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { chat, check, pin } from '#site/ui/icons.ts'
import { Sentence } from '#site/ui/Sentence.tsx'

/** What an RSVP was submitted for. */
export type Invitation = {
  /** As the event says it, e.g. `10:00 AM`. */
  time: string
  /** The language of that, where it is another one than that of the page. */
  timeLanguage?: Language | undefined
  /** Where a map shows the place. */
  directions: string | undefined
}

/** What a visitor looks forward to, right after submitting. */
export function Farewell({
  serviceDate,
  invitation: { time, timeLanguage },
}: {
  serviceDate: string | undefined
  invitation: Invitation
}) {
  const weekday = serviceDate && weekdayName(weekdayOf(serviceDate))
  // Only a time of day goes into the sentence: the event may say anything.
  const isClock = /^\d{1,2}([:.]\d\d)?\s?([ap]\.?m\.?)?$/i.test(time)
  return (
    <p className="farewell">
      <span className="farewell__mark">
        <Icon shape={check} />
      </span>
      <span>{farewell(weekday, isClock && <bdi lang={timeLanguage}>{time}</bdi>)}</span>
    </p>
  )
}

function farewell(weekday: string | undefined, time: ReactNode): ReactNode {
  if (weekday && time) return <Sentence text="See you {weekday} at {time}" weekday={weekday} time={time} />
  if (weekday) return t('See you {weekday}', { weekday })
  return time ? <Sentence text="See you there at {time}" time={time} /> : t('See you there')
}

/** What people do next: find the way, and tell others. */
export function NextSteps({ attending, directions }: { attending: boolean; directions: string | undefined }) {
  return (
    <p className="thanks__next">
      {attending && directions && (
        <a className={buttonClass('secondary')} href={directions} target="_blank" rel="noopener noreferrer">
          <Icon shape={pin} />
          {t('Directions')}
        </a>
      )}
      <a className={buttonClass('secondary')} href="#share-title">
        <Icon shape={chat} />
        {t('Invite others')}
      </a>
    </p>
  )
}
