import { useEffect, useRef, useState } from 'react'
import { isQuiet, type StandingHousehold } from '#db/standing/schema.ts'
import { useResource } from '#site/lib/hooks.ts'
import { $standing, endStanding } from '#site/stores/admin/standing.ts'
import { formatDay } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Loaded } from '#site/ui/Panel.tsx'
import { Listed } from './Listed.tsx'
import { EmailLink, PhoneLink } from './StoredRsvpRow.tsx'

/** The households that come every week. Loaded when it is opened, also by a link to it. */
export function StandingHouseholds({ zone }: { zone: string }) {
  const details = useRef<HTMLDetailsElement>(null)
  const [opened, setOpened] = useState(false)
  const reading = useResource<StandingHousehold[]>(undefined, $standing, opened)

  useEffect(() => {
    function follow() {
      if (!details.current || location.hash !== '#standing') return
      details.current.open = true
      details.current.querySelector('summary')?.focus()
    }
    follow()
    // Open already after a reload that keeps the place.
    setOpened(details.current?.open === true)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])

  return (
    <details
      ref={details}
      id="standing"
      className="standing needs-script"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(true)
        else currentTarget.style.minBlockSize = ''
      }}
    >
      <summary>{t('Who comes every week')}</summary>
      {opened && (
        <Loaded reading={reading} failed={t('The households could not be loaded.')}>
          {(households) => (
            <>
              <p className="panel__description">
                {households.length === 0
                  ? t('No household comes every week so far.')
                  : plural(
                      households.length,
                      '{count} household comes every week.',
                      '{count} households come every week.',
                    )}
              </p>
              <ul className="deleted__list">
                {[...households].sort(byQuietAndName).map((household) => (
                  <Household key={household.id} household={household} zone={zone} />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      )}
    </details>
  )
}

/** Those to ask first. */
function byQuietAndName(one: StandingHousehold, other: StandingHousehold): number {
  const now = new Date()
  return Number(isQuiet(other, now)) - Number(isQuiet(one, now)) || one.name.localeCompare(other.name)
}

function Household({ household, zone }: { household: StandingHousehold; zone: string }) {
  const { name, phone, email, since, seenAt, endsAt } = household
  const notes = [
    t('Since {day}', { day: formatDay(since, 'UTC') }),
    t('Last heard of on {day}', { day: formatDay(seenAt, zone) }),
    ...(isQuiet(household, new Date())
      ? [t('Ends on {day} unless the household says that it still comes', { day: formatDay(endsAt, zone) })]
      : []),
  ]
  const question = t(
    'The household is no longer expected in the weeks ahead, and its private link stops working. The weeks that are over stay as they were.',
  )
  const about = t('End “every week” for {name}', { name })
  return (
    <Listed
      name={name}
      notes={[notes.join(' · ')]}
      actions={[{ label: t('End'), about, question, onPress: () => endStanding(household) }]}
    >
      <p className="flow deleted__more">
        {phone && (
          <bdi>
            <PhoneLink phone={phone} />
          </bdi>
        )}{' '}
        {email && <EmailLink email={email} />}
      </p>
    </Listed>
  )
}
