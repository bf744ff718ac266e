import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { PublicRsvp } from '#db/values/rsvp.ts'
import type { ServiceDay } from '#site/lib/days.ts'
import { useResource } from '#site/lib/hooks.ts'
import { LATEST_RSVPS, LISTED_RSVPS } from '#site/lib/links.ts'
import { $ownRsvps } from '#site/stores/own-rsvps.ts'
import { newestRsvps } from '#site/stores/resources.ts'
import { formatDay, numberText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'
import { AttendanceMark } from './Attendance.tsx'

/** The responses: the latest five on a share view, a page of them on the main page. */
export function ResponsesList({
  rendered,
  newest,
  onlyLatest,
  service,
  zone,
}: {
  /** The rows that the server rendered, newest first; null if it could not read them. */
  rendered: PublicRsvp[] | null
  /** Whether they begin with the newest of all; if so, the visitor's own RSVP is put in front. */
  newest: boolean
  onlyLatest: boolean
  /** Undefined for the responses of all services. */
  service: ServiceDay | undefined
  zone: string
}) {
  const forService = useOwnRsvps(service?.date)
  const own = newest ? forService : []
  const [$query] = useState(() => newestRsvps(onlyLatest ? LATEST_RSVPS : LISTED_RSVPS, service?.date))
  const reading = useResource(rendered, $query)

  const title = onlyLatest ? t("Who's Coming?") : t('Recent Responses')

  return (
    <Panel
      title={title}
      className="responses"
      actions={
        !onlyLatest && (
          <a className={buttonClass('secondary')} href={allResponses(service)}>
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
              <ListedDay service={service} isEmpty={rows.length === 0} />
              {rows.length > 0 && <ResponsesTable caption={title} rows={rows} zone={zone} />}
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

/** Once lists are by week, the administration shows one as well. */
export function allResponses(service: ServiceDay | undefined): string {
  return service ? '/admin?week=all' : '/admin'
}

/** The people expected at the service on `day`, and the initials of the latest who come, if names are shown. */
export type Coming = { people: number; initials: string[]; day: string }

/** With fewer, an empty hall would be all that the number says. */
export const FEWEST_SHOWN = 5
const INITIALS_SHOWN = 5

export function WhoComes({ people, initials, day }: Coming) {
  const own = useOwnRsvps(day)
  const coming = own.reduce((total, rsvp) => total + rsvp.coming, people)
  const shown = [...latestInitials(own), ...initials].slice(0, INITIALS_SHOWN)
  const others = coming - shown.length
  return (
    <p className="flow coming">
      <strong>{plural(coming, '{count} person is coming', '{count} people are coming')}</strong>
      {initials.length > 0 && (
        <span className="flow coming__others" aria-hidden="true">
          {shown.map((each, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several people have the same initials.
            <span key={place} className="initials" data-initials={each} />
          ))}
          {others > 0 && <small>{t('and {count} more', { count: numberText(others) })}</small>}
        </span>
      )}
    </p>
  )
}

/** Of those whose newest RSVP of several says that they attend, newest first. */
export function latestInitials(rsvps: Pick<PublicRsvp, 'name' | 'attending'>[]): string[] {
  const newest = new Map<string, boolean>()
  for (const { name, attending } of rsvps) if (!newest.has(name)) newest.set(name, attending)
  const names = Array.from(newest.keys()).filter((name) => newest.get(name))
  return names.map(initialsOf).filter(Boolean).slice(0, INITIALS_SHOWN)
}

/** One or two letters, e.g. `AC` for Ana Cole; empty if no word begins with a letter. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /^\p{L}/u.test(word))
  const first = letterOf(words[0])
  // In scripts without capitals, e.g. Arabic or Korean, two letters together would not read as initials.
  return /\p{Lu}/u.test(first) && words.length > 1 ? first + letterOf(words.at(-1)) : first
}

/** What the list is of, as a quiet line; without a day only that there is nothing yet. */
function ListedDay({ service, isEmpty }: { service: ServiceDay | undefined; isEmpty: boolean }) {
  const forDay =
    service &&
    (isEmpty ? t('No responses for {day} yet.', { day: service.label }) : t('For {day}', { day: service.label }))
  const line = forDay ?? (isEmpty && t('No responses yet.'))
  return line && <p className="panel__description">{line}</p>
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

/** What the visitor has sent for a service since the page was opened; undefined for all services. */
function useOwnRsvps(day: string | undefined) {
  return useStore($ownRsvps).filter(({ serviceDate }) => day === undefined || serviceDate === day)
}

function letterOf(word = ''): string {
  return (Array.from(word)[0] ?? '').toLocaleUpperCase('en-US')
}
