import type { ReactNode } from 'react'
import type { EventContent } from '#db/event/content.ts'
import type { DateTile } from '#site/lib/date-tile.ts'
import { placeLink } from '#site/lib/place-link.ts'
import { t } from '#site/texts/texts.ts'
import { Icon } from '#site/ui/Icon.tsx'
import { calendar, clock, pin } from '#site/ui/icons.ts'
import { TextOrLink } from './TextOrLink.tsx'
import type { DrawText } from './text-languages.ts'

/** When and where the event is, at a glance. */
export function EventFacts({
  content: { location, mapLink },
  text,
  until,
  next,
}: {
  content: EventContent
  text: DrawText
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
        <Fact icon={calendar} label={t('Date')} {...text('date')} />
        <Fact icon={clock} label={t('Time')}>
          <span {...text('time')} />
          {until && <span className="facts__until"> {t('until {time}', { time: until })}</span>}
        </Fact>
        <Fact icon={pin} label={t('Location')} {...text('location')}>
          <TextOrLink text={location} href={mapLink ?? placeLink(location)} />
        </Fact>
      </ul>
    </div>
  )
}

function Fact({
  icon,
  label,
  lang,
  children,
}: {
  icon: string
  label: string
  lang?: string | undefined
  children: ReactNode
}) {
  return (
    <li className="facts__fact">
      <Icon shape={icon} />
      <span className="visually-hidden">{label}: </span>
      <span lang={lang}>{children}</span>
    </li>
  )
}
