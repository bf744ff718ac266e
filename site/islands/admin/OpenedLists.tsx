import type { DeletedRsvps as Deleted, StoredRsvp } from '#db/values/rsvp.ts'
import { isQuiet, type StandingHousehold } from '#db/values/standing.ts'
import { deletionOf } from '#db/values/stored-rsvp.ts'
import { attendanceText } from '#site/stores/admin/entry.ts'
import { $deletedRsvps, $standing, endStanding, keepStanding, restoreRsvps } from '#site/stores/admin/stored-rsvps.ts'
import { formatDay, numberText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Listed, OpenedList } from './Listed.tsx'
import { EmailLink, PhoneLink } from './StoredRsvpRow.tsx'

/** Recently deleted responses, to be restored one by one. Loaded when it is opened. */
export function DeletedRsvps({ zone, days }: { zone: string; days: number }) {
  const kept = plural(
    days,
    'A deleted response can be restored for {count} day.',
    'A deleted response can be restored for {count} days.',
  )
  return (
    <OpenedList<Deleted>
      id="deleted"
      title={t('Recently deleted')}
      description={`${kept} ${t('Then it is erased for good.')}`}
      $resource={$deletedRsvps}
      failed={t('The deleted responses could not be loaded.')}
    >
      {({ responses, total }) => (
        <>
          {total === 0 && <p>{t('Nothing was deleted.')}</p>}
          <ul className="deleted__list">
            {responses.map((row) => {
              const restore = {
                label: t('Restore'),
                about: t('Restore the RSVP of {name}', { name: row.name }),
                onPress: () => restoreRsvps([row.id], '.deleted summary'),
              }
              const notes = [whatHappened(row, zone), `${attendanceText(row)} · ${row.email}`]
              return <Listed key={row.id} name={row.name} notes={notes} actions={[restore]} />
            })}
          </ul>
          {total > responses.length && (
            <p className="panel__description">
              {t('These are the {shown} deleted last, of {total}.', {
                shown: responses.length,
                total: numberText(total),
              })}
            </p>
          )}
        </>
      )}
    </OpenedList>
  )
}

function whatHappened(row: StoredRsvp, zone: string): string {
  const day = formatDay(row.deletedAt ?? row.createdAt, zone)
  const deletion = deletionOf(row)
  if (deletion === 'withdrawn')
    return t('Withdrawn by the sender on {day}. Restore it only if they are coming after all.', { day })
  if (deletion === 'merged') return t('Merged on {day} into the newest response of {name}', { day, name: row.name })
  return t('Deleted by the administration on {day}', { day })
}

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
              <Household key={household.id} household={household} zone={zone} />
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

function Household({ household, zone }: { household: StandingHousehold; zone: string }) {
  const { name, phone, email, since, seenAt, endsAt } = household
  const quiet = isQuiet(household, new Date())
  const mark = household.sentAgain && t('Sent again: the newest counts')
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
      <p className="flow flow--links">
        {phone && <PhoneLink phone={phone} />} {email && <EmailLink email={email} />}
      </p>
    </Listed>
  )
}
