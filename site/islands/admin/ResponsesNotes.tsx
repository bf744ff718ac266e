import { useEffect, useRef, useState } from 'react'
import type { SomeDuplicates, ToCall } from '#db/values/rsvp.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { keptIn } from '#site/lib/storage.ts'
import { copyList } from '#site/stores/clipboard.ts'
import { dayText, numberText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox } from '#site/ui/Field.tsx'
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
          <li key={id} className="flow flow--apart">
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

/** The ids of the RSVPs whose senders were called, by service. */
const called = keptIn<Record<string, number[]>>('localStorage', 'called')

/** Lists the people who had responded for a skipped service, with links to call and to write, to be ticked off. */
export function WhomToCall({ people, week = '', today }: { people: ToCall[] } & Pick<AdminPage, 'week' | 'today'>) {
  const list = useRef<HTMLUListElement>(null)
  const [ticked, setTicked] = useState<number[]>([])
  useEffect(() => setTicked(called.restore()?.[week] ?? []), [week])
  const text = people.map(({ name, phone, email }) => [name, phone ?? '', email].join('\t')).join('\n')
  const left = people.filter(({ id }) => !ticked.includes(id)).length

  function tick(id: number, isCalled: boolean) {
    const ids = isCalled ? [...ticked, id] : ticked.filter((other) => other !== id)
    const ahead = Object.entries(called.restore() ?? {}).filter(([day]) => day >= today)
    called.keep({ ...Object.fromEntries(ahead), [week]: ids })
    setTicked(ids)
  }

  return (
    <section className={`notice ${left > 0 ? 'notice--warning ' : ''}stack duplicates`} aria-labelledby="to-call">
      <div>
        <h2 id="to-call" className="duplicates__title" tabIndex={-1}>
          {t('Whom to call')}
        </h2>
        <p className="needs-script" role="status">
          {left > 0
            ? t('Still to call: {count}. The ticks are kept in this browser.', { count: numberText(left) })
            : t('All are called.')}
        </p>
      </div>
      <ul ref={list} className="duplicates__list">
        {people.map(({ id, name, phone, email }) => (
          <li key={id} className="flow flow--links">
            <Checkbox checked={ticked.includes(id)} onChange={({ target }) => tick(id, target.checked)}>
              <bdi className="item__name">{name}</bdi>
            </Checkbox>{' '}
            <div className="flow flow--links">
              {phone && <PhoneLink phone={phone} />} {email && <EmailLink email={email} />}
            </div>
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
