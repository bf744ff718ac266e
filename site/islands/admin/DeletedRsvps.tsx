import { useEffect, useRef, useState } from 'react'
import type { DeletedRsvps as Deleted } from '#db/rsvp/schema.ts'
import { useResource } from '#site/lib/hooks/use-resource.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { $deletedRsvps, restoreDeletion, restoreRsvps } from '#site/stores/admin/deleted-rsvps.ts'
import { formatDay, formatMoment } from '#site/texts/dates.ts'
import { Button } from '#site/ui/Button.tsx'
import { EmptyState } from '#site/ui/EmptyState.tsx'
import { trash } from '#site/ui/icons.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'

/** Key in session storage: whether the list is open, because the page reloads after each restore. */
const OPEN = 'recently-deleted'

/** Recently deleted responses, with a button that restores each, and those deleted together with one for all. Loaded when the list is opened. */
export function DeletedRsvps({ zone, days }: { zone: string; days: number }) {
  const details = useRef<HTMLDetailsElement>(null)
  const [opened, setOpened] = useState(false)

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
      <summary className="deleted__summary">Recently deleted</summary>
      <p className="panel__description">
        A deleted response can be restored for {days} days. Then it is erased for good.
      </p>
      {opened && <DeletedList zone={zone} />}
    </details>
  )
}

function DeletedList({ zone }: { zone: string }) {
  const { data, error } = useResource<Deleted>(null, $deletedRsvps)
  if (error !== undefined) {
    return <LoadFailed onRetry={$deletedRsvps.reload}>The deleted responses could not be loaded.</LoadFailed>
  }
  if (!data) return <LoadingText>Loading deleted responses...</LoadingText>
  if (data.total === 0) return <EmptyState icon={trash}>Nothing was deleted.</EmptyState>
  return (
    <>
      {data.together.length > 0 && <DeletedTogether together={data.together} zone={zone} />}
      <ul className="deleted__list">
        {data.responses.map((row) => (
          <li key={row.id} className="deleted__row">
            <span>
              <bdi className="deleted__name">{row.name}</bdi> {row.email}
              <span className="deleted__date">Deleted on {formatDay(row.deletedAt ?? row.createdAt, zone)}</span>
            </span>
            <Button
              variant="secondary"
              aria-label={`Restore the RSVP of ${row.name}`}
              onClick={() => restoreRsvps([row.id])}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
      {data.total > data.responses.length && (
        <p className="panel__description">
          These are the {data.responses.length} deleted last, of {data.total.toLocaleString('en-US')}.{' '}
          <code>npx rsvp list --deleted</code> shows all of them.
        </p>
      )}
    </>
  )
}

function DeletedTogether({ together, zone }: { together: Deleted['together']; zone: string }) {
  return (
    <ul className="deleted__list deleted__list--together" aria-label="Deleted together">
      {together.map(({ deletedAt, count }) => {
        const responses = `${count.toLocaleString('en-US')} responses`
        const moment = formatMoment(deletedAt, zone)
        return (
          <li key={deletedAt} className="deleted__row">
            <span>
              <span className="deleted__count">{responses}</span>
              <span className="deleted__date">Deleted together on {moment}</span>
            </span>
            <Button
              variant="secondary"
              aria-label={`Restore all ${responses} deleted on ${moment}`}
              onClick={() => restoreDeletion(deletedAt)}
            >
              Restore all
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
