import type { EventContent } from '#db/event/content.ts'
import { contactLink } from '#site/lib/contact-link.ts'
import { t } from '#site/texts/texts.ts'
import { TextOrLink } from './TextOrLink.tsx'

/** What the event is, and what first-time visitors want to know. */
export function EventProse({
  content: { eventTitle, eventDescription, whatToExpect, contact },
}: {
  content: EventContent
}) {
  return (
    <>
      <h2 className="invitation__event">{eventTitle}</h2>
      <p className="invitation__prose">{eventDescription}</p>
      {whatToExpect && (
        <>
          <h3 className="invitation__more">{t('What to Expect')}</h3>
          <p className="invitation__prose">{whatToExpect}</p>
        </>
      )}
      {contact && (
        <p className="invitation__contact">
          {t('Questions?')} <TextOrLink text={contact} href={contactLink(contact)} />
        </p>
      )}
    </>
  )
}
