import { useEffect, useRef, useState } from 'react'
import type { DeletedRsvps as Deleted } from '#db/rsvp/schema.ts'
import { useResource } from '#site/lib/hooks.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { $deletedRsvps, restoreDeletion, restoreRsvps } from '#site/stores/admin/stored-rsvps.ts'
import { formatDay, formatMoment, numberText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { trash } from '#site/ui/Icon.tsx'
import { EmptyState, Loaded } from '#site/ui/Panel.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'

/** Key in session storage: whether the list is open, because the page reloads after each restore. */
const OPEN = 'recently-deleted'

/** Recently deleted responses, to be restored one by one or as they were deleted together. Loaded when it is opened. */
export function DeletedRsvps({ zone, days }: { zone: string; days: number }) {
  const details = useRef<HTMLDetailsElement>(null)
  const [opened, setOpened] = useState(false)
  const reading = useResource<Deleted>(undefined, $deletedRsvps, opened)

  useEffect(() => {
    if (details.current && readSession(OPEN)) details.current.open = true
  }, [])

  return (
    <details
      ref={details}
      className="deleted needs-script"
      onToggle={({ currentTarget: { open } }) => {
        setOpened(opened || open)
        writeSession(OPEN, open ? 'open' : '')
      }}
    >
      <summary>{t('Recently deleted')}</summary>
      <p className="panel__description">
        {plural(
          days,
          'A deleted response can be restored for {count} day.',
          'A deleted response can be restored for {count} days.',
        )}{' '}
        {t('Then it is erased for good.')}
      </p>
      {opened && (
        <Loaded
          reading={reading}
          loading={t('Loading deleted responses...')}
          failed={t('The deleted responses could not be loaded.')}
        >
          {(deleted) => <DeletedList deleted={deleted} zone={zone} />}
        </Loaded>
      )}
    </details>
  )
}

function DeletedList({ deleted, zone }: { deleted: Deleted; zone: string }) {
  const { together, responses, total } = deleted
  if (total === 0) return <EmptyState icon={trash}>{t('Nothing was deleted.')}</EmptyState>
  return (
    <>
      {together.length > 0 && (
        <ul className="deleted__list deleted__list--together" aria-label={t('Deleted together')}>
          {together.map(({ deletedAt, count }) => {
            const responses = plural(count, '{count} response', '{count} responses')
            const moment = formatMoment(deletedAt, zone)
            return (
              <li key={deletedAt} className="deleted__row">
                <span>
                  <span className="deleted__count">{responses}</span>
                  <span className="deleted__date">{t('Deleted together on {moment}', { moment })}</span>
                </span>
                <Button
                  variant="secondary"
                  aria-label={t('Restore all {responses} deleted on {moment}', { responses, moment })}
                  onClick={() => restoreDeletion(deletedAt)}
                >
                  {t('Restore all')}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      <ul className="deleted__list">
        {responses.map((row) => (
          <li key={row.id} className="deleted__row">
            <span>
              <bdi className="deleted__name">{row.name}</bdi> {row.email}
              <span className="deleted__date">
                {t('Deleted on {day}', { day: formatDay(row.deletedAt ?? row.createdAt, zone) })}
              </span>
            </span>
            <Button
              variant="secondary"
              aria-label={t('Restore the RSVP of {name}', { name: row.name })}
              onClick={() => restoreRsvps([row.id])}
            >
              {t('Restore')}
            </Button>
          </li>
        ))}
      </ul>
      {total > responses.length && (
        <p className="panel__description">
          {t('These are the {shown} deleted last, of {total}.', {
            shown: responses.length,
            total: numberText(total),
          })}{' '}
          <Sentence text="{command} shows all of them." command={<code>rsvp list --deleted</code>} />
        </p>
      )}
    </>
  )
}
