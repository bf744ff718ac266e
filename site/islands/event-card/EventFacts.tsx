import type { ReactNode } from 'react'
import type { EventContent } from '#db/event/content.ts'
import type { DateTile } from '#site/lib/date-tile.ts'
import { placeLink } from '#site/lib/place-link.ts'
import { t } from '#site/texts/texts.ts'
import { Icon } from '#site/ui/Icon.tsx'
import { calendar, clock, pin } from '#site/ui/icons.ts'
import { TextOrLink } from './TextOrLink.tsx'

/** When and where the event is, at a glance. */
export function EventFacts({
  content: { date, time, location, mapLink },
  until,
  next,
}: {
  content: EventContent
  /** When it is over. */
  until: string | undefined
  /** The next service, where visitors are told of it. */
  next: DateTile | undefined
}) {
  return (
    <div className="facts">
      {next && (
        <time className="tile" dateTime={next.date}>
          <span className="visually-hidden">{t('Next: {day}', { day: next.label })}</span>
          <span className="tile__month" aria-hidden="true">
            {next.month}
          </span>
          <span className="tile__day" aria-hidden="true">
            {next.day}
          </span>
          <span className="tile__weekday" aria-hidden="true">
            {next.weekday}
          </span>
        </time>
      )}
      <ul className="facts__list">
        <Fact icon={calendar} label={t('Date')}>
          {date}
        </Fact>
        <Fact icon={clock} label={t('Time')}>
          {time}
          {until && <span className="facts__until"> {t('until {time}', { time: until })}</span>}
        </Fact>
        <Fact icon={pin} label={t('Location')}>
          <TextOrLink text={location} href={mapLink ?? placeLink(location)} />
        </Fact>
      </ul>
    </div>
  )
}

function Fact({ icon, label, children }: { icon: string; label: string; children: ReactNode }) {
  return (
    <li className="facts__fact">
      <Icon shape={icon} />
      <span className="visually-hidden">{label}: </span>
      <span>{children}</span>
    </li>
  )
}
