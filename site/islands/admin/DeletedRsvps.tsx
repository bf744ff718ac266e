import type { DeletedRsvps as Deleted, StoredRsvp } from '#db/rsvp/schema.ts'
import { deletionOf } from '#db/rsvp/stored.ts'
import { attendanceText } from '#site/stores/admin/entry.ts'
import { $deletedRsvps, restoreRsvps } from '#site/stores/admin/stored-rsvps.ts'
import { formatDay, formatMoment, numberText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { OpenedList } from './Listed.tsx'
import { SomeNames } from './StoredRsvpRow.tsx'

const SUMMARY = '.deleted summary'

/** Recently deleted responses, to be restored one by one or as they were deleted together. Loaded when it is opened. */
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
      {(deleted) => <DeletedList deleted={deleted} zone={zone} />}
    </OpenedList>
  )
}

type Deletion = Deleted['together'][number]

function DeletedList({ deleted: { together, responses, total }, zone }: { deleted: Deleted; zone: string }) {
  if (total === 0) return <p>{t('Nothing was deleted.')}</p>
  const single = responses.filter(({ id }) => !together.some(({ ids }) => ids.includes(id)))
  // Deleted last first.
  const listed = [...together, ...single].sort((one, other) =>
    (one.deletedAt ?? '') < (other.deletedAt ?? '') ? 1 : -1,
  )
  return (
    <>
      <ul className="deleted__list">
        {listed.map((item) => (
          <li key={'id' in item ? item.id : `${item.deletedAt} ${item.mergedInto}`}>
            {'id' in item ? (
              <DeletedRow row={item} zone={zone} />
            ) : (
              <DeletedTogether deletion={item} rows={responses} zone={zone} />
            )}
          </li>
        ))}
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
  )
}

/** One deletion of several, or a merge. */
function DeletedTogether({ deletion, rows, zone }: { deletion: Deletion; rows: StoredRsvp[]; zone: string }) {
  const { deletedAt, mergedInto, ids } = deletion
  const moment = formatMoment(deletedAt, zone)
  const responses = plural(ids.length, '{count} response', '{count} responses')
  const names = rows.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return (
    <div className="item">
      <div>
        <p className="item__name">{responses}</p>
        <p>
          {mergedInto === null
            ? t('Deleted together on {moment}', { moment })
            : t('Merged on {moment} into the newest response', { moment })}
        </p>
        {/* Older than those that the list has */}
        {names.length > 0 && (
          <p className="field__hint">
            <SomeNames names={names} count={ids.length} />
          </p>
        )}
      </div>
      <Button
        variant="secondary"
        aria-label={t('Restore all {responses} deleted on {moment}', { responses, moment })}
        onClick={() => restoreRsvps(ids, SUMMARY)}
      >
        {t('Restore all')}
      </Button>
    </div>
  )
}

function DeletedRow({ row, zone }: { row: StoredRsvp; zone: string }) {
  return (
    <div className="item">
      <div>
        <p className="item__name">
          <bdi>{row.name}</bdi>
        </p>
        <p>{whatHappened(row, formatDay(row.deletedAt ?? row.createdAt, zone))}</p>
        <p className="flow field__hint deleted__more">
          <span>{attendanceText(row)}</span>
          <span>{row.email}</span>
        </p>
      </div>
      <Button
        variant="secondary"
        aria-label={t('Restore the RSVP of {name}', { name: row.name })}
        onClick={() => restoreRsvps([row.id], SUMMARY)}
      >
        {t('Restore')}
      </Button>
    </div>
  )
}

function whatHappened(row: StoredRsvp, day: string): string {
  const deletion = deletionOf(row)
  if (deletion === 'withdrawn')
    return t('Withdrawn by the sender on {day}. Restore it only if they are coming after all.', { day })
  if (deletion === 'merged') return t('Merged on {day} into the newest response of {name}', { day, name: row.name })
  return t('Deleted by the administration on {day}', { day })
}
