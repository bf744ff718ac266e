import type { EventContent } from '#db/event/content.ts'
import { contactParts } from '#site/lib/contact-link.ts'
import { t } from '#site/texts/texts.ts'
import { TextOrLink } from './TextOrLink.tsx'
import type { DrawText } from './text-languages.ts'

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
