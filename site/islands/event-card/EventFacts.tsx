import type { ReactNode } from 'react'
import type { EventContent } from '#db/event/content.ts'
import { contactLink } from '#site/lib/contact-link.ts'
import { Icon } from '#site/ui/Icon.tsx'
import { calendar, clock, pin } from '#site/ui/icons.ts'

/** When and where the event is, and what first-time visitors want to know. */
export function EventFacts({
  content: { date, time, location, mapLink, contact, whatToExpect },
  until,
}: {
  content: EventContent
  /** When it is over. */
  until: string | undefined
}) {
  return (
    <>
      <ul className="facts">
        <Fact icon={calendar} label="Date">
          {date}
        </Fact>
        <Fact icon={clock} label="Time">
          {time}
          {until && <span className="facts__until"> until {until}</span>}
        </Fact>
        <Fact icon={pin} label="Location">
          <TextOrLink text={location} href={mapLink} />
        </Fact>
      </ul>
      {whatToExpect && (
        <div className="invitation__more">
          <h3>What to Expect</h3>
          <p>{whatToExpect}</p>
        </div>
      )}
      {contact && (
        <p className="invitation__contact">
          Questions? <TextOrLink text={contact} href={contactLink(contact)} />
        </p>
      )}
    </>
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

function TextOrLink({ text, href }: { text: string; href: string | undefined }) {
  return href === undefined ? text : <a href={href}>{text}</a>
}
