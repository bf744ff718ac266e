import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { PublicRsvp } from '#db/rsvp/schema.ts'
import { useResource } from '#site/lib/hooks/use-resource.ts'
import { initialsOf } from '#site/lib/initials.ts'
import type { ServiceDay } from '#site/lib/service-days.ts'
import { LATEST_RSVPS, LISTED_RSVPS } from '#site/lib/share-view.ts'
import { $ownRsvps, type OwnRsvp } from '#site/stores/own-rsvps.ts'
import { newestRsvps } from '#site/stores/rsvps.ts'
import { formatDay } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { EmptyState } from '#site/ui/EmptyState.tsx'
import { users } from '#site/ui/icons.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { AttendanceMark } from './AttendanceMark.tsx'
import { ServicePeople } from './ServicePeople.tsx'

/** The responses: the latest five on a share view, a page of them on the main page. */
export function ResponsesList({
  rendered,
  newest,
  onlyLatest,
  service,
  people,
  zone,
}: {
  /** The rows that the server rendered, newest first; null if it could not read them. */
  rendered: PublicRsvp[] | null
  /** Whether they are the newest there are: the visitor's own RSVP belongs in front of them. */
  newest: boolean
  onlyLatest: boolean
  /** The service that they are for; of all services if there is none. */
  service: ServiceDay | undefined
  /** How many people come to it, as the server counted them. */
  people: number | undefined
  zone: string
}) {
  const submitted = useStore($ownRsvps)
  const forService = submitted.filter(({ serviceDate }) => !service || serviceDate === service.date)
  const own = newest ? forService : []
  const [$query] = useState(() => newestRsvps(onlyLatest ? LATEST_RSVPS : LISTED_RSVPS, service?.date))
  const { data, error } = useResource(rendered, $query)
  const rows = data && withOwn(own, data).slice(0, onlyLatest ? LATEST_RSVPS : undefined)

  const title = onlyLatest ? t("Who's Coming?") : t('Recent Responses')

  return (
    <Panel
      title={title}
      description={service && <ServicePeople service={service} people={people && people + comingOf(forService)} />}
      className="responses"
      actions={
        !onlyLatest && (
          <a className={buttonClass('secondary')} href="/admin?week=all">
            {t('View All Responses')}
          </a>
        )
      }
    >
      {rows && <ResponsesTable caption={title} rows={rows} zone={zone} />}
      {rows?.length === 0 && (
        <EmptyState icon={users}>
          {service
            ? t('No responses for {day} yet. Be the first!', { day: service.label })
            : t('No responses yet. Be the first!')}
        </EmptyState>
      )}
      {!data && !error && <LoadingText>{t('Loading responses...')}</LoadingText>}
      {error !== undefined && (
        <LoadFailed onRetry={$query.reload}>{t('The responses could not be loaded.')}</LoadFailed>
      )}
    </Panel>
  )
}

function ResponsesTable({ caption, rows, zone }: { caption: string; rows: PublicRsvp[]; zone: string }) {
  return (
    <table className="responses__table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Name')}</th>
          <th scope="col">{t('Status')}</th>
          <th scope="col">{t('Date')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-initials={initialsOf(row.name)}>
            <th scope="row" className="responses__name">
              <span dir="auto">{row.name}</span>
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

function comingOf(own: OwnRsvp[]): number {
  return own.reduce((total, { coming }) => total + coming, 0)
}
