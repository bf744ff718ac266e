import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { PublicRsvp } from '#db/values/rsvp.ts'
import type { ServiceDay } from '#site/lib/days.ts'
import { useResource } from '#site/lib/hooks.ts'
import { LATEST_RSVPS, LISTED_RSVPS } from '#site/lib/links.ts'
import { type Recorded, withdrawnText } from '#site/lib/recorded.ts'
import { $ownRsvps } from '#site/stores/own-rsvps.ts'
import { newestRsvps } from '#site/stores/resources.ts'
import { formatDay } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { check, cross, Icon } from '#site/ui/Icon.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'
import { NameList, Sentence } from '#site/ui/Sentence.tsx'
import { AttendanceMark } from './Attendance.tsx'

/** The responses: the latest five on a share view, a page of them on the main page. */
export function ResponsesList({
  rendered,
  newest,
  onlyLatest,
  service,
  zone,
}: {
  /** The rows that the server rendered, newest first; null if the server could not read them. */
  rendered: PublicRsvp[] | null
  /** Whether the rows begin with the newest of all. If so, the visitor's own RSVPs are added in front. */
  newest: boolean
  onlyLatest: boolean
  /** Undefined for the responses of all services. */
  service: ServiceDay | undefined
  zone: string
}) {
  const own = useOwnRsvps(service?.date)
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
          const added = newest ? own.filter((row) => loaded.every(({ id }) => id !== row.id)) : []
          const rows = [...added, ...loaded].slice(0, onlyLatest ? LATEST_RSVPS : undefined)
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

/** The address of all responses. Where lists are by week, the administration shows one week by default. */
export function allResponses(service: ServiceDay | undefined): string {
  return service ? '/admin?week=all' : '/admin'
}

/** The number of people expected at the service on `day`, and the initials of the latest, if names are shown. */
export type Coming = { people: number; initials: string[]; day: string }

/** A smaller number is not shown: it would only suggest an empty hall. */
export const FEWEST_SHOWN = 5
/** As many as stand beside the number on a phone. */
const INITIALS_SHOWN = 4

export function WhoComes({ people, initials, day }: Coming) {
  const own = useOwnRsvps(day)
  const coming = own.reduce((total, rsvp) => total + rsvp.coming, people)
  const shown = [...latestInitials(own), ...initials].slice(0, INITIALS_SHOWN)
  return (
    <p className="flow coming">
      <strong>{plural(coming, '{count} person is coming', '{count} people are coming')}</strong>
      {initials.length > 0 && (
        <span className="flow coming__others" aria-hidden="true">
          {shown.map((each, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several people have the same initials.
            <span key={position} className="initials" data-initials={each} />
          ))}
        </span>
      )}
    </p>
  )
}

/** What the visitor has said, and for which day, unless it is that of the invitation. */
export function YourRsvp({ recorded, day }: { recorded: Recorded; day: string | undefined }) {
  const { attending, coming, everyWeek, isWithdrawn, serviceDate = day, link } = recorded
  const comes = coming.length > 0
  return (
    <p className={`status your-rsvp__line ${comes ? 'status--yes' : 'status--no'}`}>
      <Icon shape={comes ? check : cross} />
      <span>
        {!comes && (isWithdrawn ? withdrawnText(everyWeek) : t("You can't come this time"))}
        {!attending && comes && <Sentence text="Coming without you: {names}" names={<NameList names={coming} />} />}
        {attending && !everyWeek && plural(coming.length, "You're coming", "You're coming, {count} people")}
        {attending &&
          everyWeek &&
          plural(coming.length, "You're coming every week", "You're coming every week, {count} people")}
        {serviceDate &&
          serviceDate !== day &&
          !(everyWeek && (attending || isWithdrawn)) &&
          ` (${formatDay(serviceDate, 'UTC')})`}
        {link && ' ·\u00a0'}
        {link && <a href={link}>{isWithdrawn ? t('Take that back') : t('Change')}</a>}
      </span>
    </p>
  )
}

/** The initials of those who attend, newest first. For each name, the newest RSVP counts. */
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
  // In scripts without capitals, e.g. Arabic or Korean, two letters do not look like initials.
  return /\p{Lu}/u.test(first) && words.length > 1 ? first + letterOf(words.at(-1)) : first
}

/** Which service the list is for, and whether it is empty. */
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

/** The RSVPs that the visitor has sent since the page was opened, for one service, or for all if `day` is undefined. */
function useOwnRsvps(day: string | undefined) {
  return useStore($ownRsvps).filter(({ serviceDate }) => day === undefined || serviceDate === day)
}

function letterOf(word = ''): string {
  return (Array.from(word)[0] ?? '').toLocaleUpperCase('en-US')
}
