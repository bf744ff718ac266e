import { useStore } from '@nanostores/react'
import type { PublicRsvp } from '#db/rsvp/schema.ts'
import { formatDay } from '#site/lib/day.ts'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { useQuery } from '#site/lib/hooks/use-query.ts'
import { LATEST_RSVPS } from '#site/lib/share-view.ts'
import { $allRsvps, $latestRsvps, $ownRsvps } from '#site/stores/rsvps.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { EmptyState } from '#site/ui/EmptyState.tsx'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { AttendanceMark } from './AttendanceMark.tsx'

/** Who has answered: the last five on a share view, everybody on the main page. */
export function ResponsesList({
  rendered,
  complete,
  onlyLatest,
  zone,
}: {
  /** The rows the server drew, newest first; null where it could not read them. */
  rendered: PublicRsvp[] | null
  /** There are no rows beyond the drawn ones. */
  complete: boolean
  onlyLatest: boolean
  zone: string
}) {
  // The list may be taken over after an answer was given: at first it must be what the server drew.
  const given = useStore($ownRsvps)
  const own = useHydrated() ? given : []
  const $query = onlyLatest ? $latestRsvps : $allRsvps
  const { data, error } = useQuery(complete ? rendered : null, $query)
  const loaded = data ?? rendered
  const rows = loaded && withOwn(own, loaded).slice(0, onlyLatest ? LATEST_RSVPS : undefined)

  const title = onlyLatest ? "Who's Coming?" : 'Recent Responses'

  return (
    <Panel
      title={title}
      className="responses"
      actions={
        !onlyLatest && (
          <a className={buttonClass('secondary')} href="/admin">
            View All Responses
          </a>
        )
      }
    >
      {rows && <ResponsesTable caption={title} rows={rows} zone={zone} />}
      {rows?.length === 0 && <EmptyState icon="users">Nobody has answered yet. Be the first!</EmptyState>}
      {!data && !error && (
        // Without JavaScript the rows that are drawn are all there will be; a link leads to the older ones.
        <div className={rows ? 'needs-script' : undefined}>
          <LoadingText>Loading responses...</LoadingText>
        </div>
      )}
      {error !== undefined && <LoadFailed onRetry={$query.reload}>The responses could not be loaded.</LoadFailed>}
    </Panel>
  )
}

function ResponsesTable({ caption, rows, zone }: { caption: string; rows: PublicRsvp[]; zone: string }) {
  return (
    <table className="responses__table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Status</th>
          <th scope="col">Date</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" className="responses__name">
              {row.name}
            </th>
            <td>
              <AttendanceMark attending={row.attending} />
            </td>
            <td className="responses__date">{formatDay(row.createdAt, zone)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function withOwn(own: PublicRsvp[], loaded: PublicRsvp[]): PublicRsvp[] {
  const known = new Set(loaded.map((row) => row.id))
  return [...own.filter((row) => !known.has(row.id)), ...loaded]
}
