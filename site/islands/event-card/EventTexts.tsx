import type { ReactNode } from 'react'
import type { EventContent } from '#db/event/content.ts'
import type { Language } from '#db/language/languages.ts'
import type { DateTile } from '#site/lib/days.ts'
import { contactParts, placeLink } from '#site/lib/links.ts'
import { t } from '#site/texts/texts.ts'
import { calendar, clock, Icon, pin } from '#site/ui/Icon.tsx'

/** The languages of those texts of the event that are not in the language of the page. */
export type TextLanguages = { [Name in keyof EventContent]?: Language }

/** How a text of the event is drawn, and in which language it is. */
export type DrawText = (name: keyof EventContent) => { lang: Language | undefined; children: string | undefined }

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

/** What the event is, and what first-time visitors want to know. */
export function EventProse({ content: { whatToExpect, contact }, text }: { content: EventContent; text: DrawText }) {
  return (
    <>
      <h2 className="invitation__event" {...text('eventTitle')} />
      <p className="invitation__prose" {...text('eventDescription')} />
      {whatToExpect && (
        <>
          <h3 className="invitation__more">{t('What to Expect')}</h3>
          <p className="invitation__prose" {...text('whatToExpect')} />
        </>
      )}
      {contact && (
        <p className="invitation__contact">
          {t('Questions?')}{' '}
          <span lang={text('contact').lang}>
            {contactParts(contact).map((part, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: The pieces of a text never change their order.
              <TextOrLink key={place} {...part} />
            ))}
          </span>
        </p>
      )}
    </>
  )
}

/** A text that leads somewhere, if there is somewhere to lead to. */
function TextOrLink({ text, href }: { text: string; href: string | undefined }) {
  return href === undefined ? text : <a href={href}>{text}</a>
}
