import type { DeletedRsvps as Deleted, StoredRsvp } from '#db/rsvp/schema.ts'
import { deletionOf } from '#db/rsvp/stored.ts'
import { attendanceText } from '#site/stores/admin/entry.ts'
import { $deletedRsvps, restoreRsvps } from '#site/stores/admin/stored-rsvps.ts'
import { formatDay, numberText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Listed, OpenedList } from './Listed.tsx'

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
