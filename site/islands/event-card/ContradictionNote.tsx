import { type EventTimes, findContradictions } from '#db/schedule/contradictions.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'

/** Tells an administrator where the event's texts contradict the schedule, beside either of them. */
export function ContradictionNote({
  event,
  schedule,
  link,
  quoting = false,
}: {
  event: EventTimes
  schedule: Pick<Schedule, 'weekday' | 'startTime'>
  /** Leads to the other one of them. */
  link: { href: string; text: string }
  /** Whether to quote the texts, which are not on this page. */
  quoting?: boolean
}) {
  const found = findContradictions(event, schedule)
  return (
    <div className="contradiction" role="status">
      {found.length > 0 && (
        <div className="notice contradiction__notice">
          {found.map(({ text, sentence }) => (
            <p key={text}>
              {quoting && <q className="contradiction__text">{event[text]}</q>}
              {said(sentence)}
            </p>
          ))}
          <a href={link.href}>{link.text}</a>
        </div>
      )}
    </div>
  )
}

export function toSchedule() {
  return { href: '/admin?tab=settings#schedule', text: t('Open the schedule') }
}
