import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { PublicRsvp } from '#db/rsvp/schema.ts'
import type { ServiceDay } from '#site/lib/days.ts'
import { useResource } from '#site/lib/hooks.ts'
import { LATEST_RSVPS, LISTED_RSVPS } from '#site/lib/links.ts'
import { $ownRsvps } from '#site/stores/own-rsvps.ts'
import { newestRsvps } from '#site/stores/resources.ts'
import { formatDay } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { users } from '#site/ui/Icon.tsx'
import { EmptyState, Loaded, Panel } from '#site/ui/Panel.tsx'
import { AttendanceMark, ServicePeople } from './Attendance.tsx'

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
  /** Whether they begin with the newest of all; if so, the visitor's own RSVP is put in front. */
  newest: boolean
  onlyLatest: boolean
  /** Undefined for the responses of all services. */
  service: ServiceDay | undefined
  people: number | undefined
  zone: string
}) {
  const submitted = useStore($ownRsvps)
  const forService = submitted.filter(({ serviceDate }) => !service || serviceDate === service.date)
  const own = newest ? forService : []
  const coming = forService.reduce((total, rsvp) => total + rsvp.coming, 0)
  const [$query] = useState(() => newestRsvps(onlyLatest ? LATEST_RSVPS : LISTED_RSVPS, service?.date))
  const reading = useResource(rendered, $query)

  const title = onlyLatest ? t("Who's Coming?") : t('Recent Responses')

  return (
    <Panel
      title={title}
      description={service && <ServicePeople service={service} people={people && people + coming} />}
      className="responses"
      actions={
        !onlyLatest && (
          <a className={buttonClass('secondary')} href="/admin?week=all">
            {t('View All Responses')}
          </a>
        )
      }
    >
      <Loaded reading={reading} loading={t('Loading responses...')} failed={t('The responses could not be loaded.')}>
        {(loaded) => {
          const mine = own.filter((row) => loaded.every(({ id }) => id !== row.id))
          const rows = [...mine, ...loaded].slice(0, onlyLatest ? LATEST_RSVPS : undefined)
          return (
            <>
              <ResponsesTable caption={title} rows={rows} zone={zone} />
              {rows.length === 0 && (
                <EmptyState icon={users}>
                  {service
                    ? t('No responses for {day} yet. Be the first!', { day: service.label })
                    : t('No responses yet. Be the first!')}
                </EmptyState>
              )}
            </>
          )
        }}
      </Loaded>
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

/** One or two letters, e.g. `AC` for Ana Cole; empty if no word begins with a letter. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /^\p{L}/u.test(word))
  const first = letterOf(words[0])
  // In scripts without capitals, e.g. Arabic or Korean, two letters together would not read as initials.
  return /\p{Lu}/u.test(first) && words.length > 1 ? first + letterOf(words.at(-1)) : first
}

function letterOf(word = ''): string {
  return (Array.from(word)[0] ?? '').toLocaleUpperCase('en-US')
}
