import { isQuiet, type StandingHousehold } from '#db/standing/schema.ts'
import { $standing, endStanding, keepStanding } from '#site/stores/admin/standing.ts'
import { formatDay } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Listed, OpenedList } from './Listed.tsx'
import { EmailLink, PhoneLink } from './StoredRsvpRow.tsx'

/** The households that come every week, those to ask first. */
export function StandingHouseholds({ zone }: { zone: string }) {
  return (
    <OpenedList<StandingHousehold[]>
      id="standing"
      title={t('Who comes every week')}
      $resource={$standing}
      failed={t('The households could not be loaded.')}
    >
      {(households) => (
        <>
          <p className="panel__description">
            {households.length === 0
              ? t('No household comes every week so far.')
              : plural(households.length, '{count} household comes every week.', '{count} households come every week.')}
          </p>
          <ul className="deleted__list">
            {[...households].sort(byQuietAndName).map((household) => (
              <Household
                key={household.id}
                household={household}
                mark={household.sentAgain && t('Sent again: the newest counts')}
                zone={zone}
              />
            ))}
          </ul>
        </>
      )}
    </OpenedList>
  )
}

function byQuietAndName(one: StandingHousehold, other: StandingHousehold): number {
  const now = new Date()
  return Number(isQuiet(other, now)) - Number(isQuiet(one, now)) || one.name.localeCompare(other.name)
}

function Household({ household, mark, zone }: { household: StandingHousehold; mark: string | false; zone: string }) {
  const { name, phone, email, since, seenAt, endsAt } = household
  const quiet = isQuiet(household, new Date())
  const notes = [
    t('Since {day}', { day: formatDay(since, 'UTC') }),
    t('Last heard of on {day}', { day: formatDay(seenAt, zone) }),
    quiet && t('Ends on {day} unless the household says that it still comes', { day: formatDay(endsAt, zone) }),
  ]
  const keep = {
    label: t('Still comes'),
    about: t('{name} still comes every week', { name }),
    onPress: () => keepStanding(household),
  }
  const end = {
    label: t('End'),
    about: t('End “every week” for {name}', { name }),
    question: t(
      'The household is no longer expected in the weeks ahead, and its private link stops working. The weeks that are over stay as they were.',
    ),
    onPress: () => endStanding(household),
  }
  return (
    <Listed name={name} mark={mark} notes={[notes.filter(Boolean).join(' · ')]} actions={quiet ? [keep, end] : [end]}>
      <p className="flow deleted__more">
        {phone && (
          <bdi dir="ltr">
            <PhoneLink phone={phone} />
          </bdi>
        )}{' '}
        {email && <EmailLink email={email} />}
      </p>
    </Listed>
  )
}
