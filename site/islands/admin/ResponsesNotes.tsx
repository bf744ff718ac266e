import { useRef } from 'react'
import type { SomeDuplicates, ToCall } from '#db/values/rsvp.ts'
import { copyList } from '#site/stores/clipboard.ts'
import { dayText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { copy, Icon } from '#site/ui/Icon.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { EmailLink, PhoneLink } from './StoredRsvpRow.tsx'

/** Lists the people with several responses for one service, which can be shown and merged. */
export function DuplicatesNote({
  found: { duplicates, total },
  onMerge,
}: {
  found: SomeDuplicates
  /** Called with the id of the newest. */
  onMerge: (id: number) => void
}) {
  if (total === 0) return null
  return (
    <section className="notice stack duplicates" aria-labelledby="duplicates">
      <div>
        <h3 id="duplicates" className="duplicates__title">
          {t('Sent more than once')}
        </h3>
        <p>
          {t(
            'People are counted from the newest. Merging shows what each of them says, and proposes to keep all of it in one.',
          )}
        </p>
      </div>
      <ul className="duplicates__list">
        {duplicates.map(({ id, name, serviceDate, superseded }) => (
          <li key={id} className="flow flow--apart duplicates__person">
            <span>
              <Sentence
                text="{name} sent {responses} for {day}."
                name={<bdi>{name}</bdi>}
                responses={plural(superseded.length + 1, '{count} response', '{count} responses')}
                day={dayText(serviceDate)}
              />
            </span>
            <Button
              variant="secondary"
              className="needs-script"
              aria-label={t('Merge the RSVPs of {name}', { name })}
              onClick={() => onMerge(id)}
            >
              {t('Merge')}
            </Button>
          </li>
        ))}
      </ul>
      {total > duplicates.length && (
        <p>{plural(total - duplicates.length, 'And {count} more person.', 'And {count} more people.')}</p>
      )}
    </section>
  )
}

/** Lists the people who had responded for a skipped service, with links to call and to write. */
export function WhomToCall({ people }: { people: ToCall[] }) {
  const list = useRef<HTMLUListElement>(null)
  const text = people.map(({ name, phone, email }) => [name, phone ?? '', email].join('\t')).join('\n')
  return (
    <section className="notice notice--warning stack duplicates" aria-labelledby="to-call">
      <h2 id="to-call" className="duplicates__title" tabIndex={-1}>
        {t('Whom to call')}
      </h2>
      <ul ref={list} className="duplicates__list">
        {people.map(({ id, name, phone, email }) => (
          <li key={id}>
            <bdi>{name}</bdi> {phone && <PhoneLink phone={phone} />} {email && <EmailLink email={email} />}
          </li>
        ))}
      </ul>
      <Button variant="secondary" className="needs-script" onClick={() => list.current && copyList(text, list.current)}>
        <Icon shape={copy} />
        {t('Copy the list')}
      </Button>
    </section>
  )
}
