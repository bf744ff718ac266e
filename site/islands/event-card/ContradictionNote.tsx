import { type EventTimes, findContradictions } from '#db/schedule/contradictions.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'

/** Warns an administrator that the event's texts contradict the schedule, beside either, and links to the other. */
export function ContradictionNote({
  event,
  schedule,
  beside,
}: {
  event: EventTimes
  schedule: Pick<Schedule, 'weekday' | 'startTime'>
  beside: 'event' | 'schedule'
}) {
  const found = findContradictions(event, schedule)
  return (
    <div className="contradiction" role="status">
      {found.length > 0 && (
        <div className="notice notice--warning contradiction__notice">
          {found.map(({ text, sentence }) => (
            <p key={text}>
              {beside === 'schedule' && <q className="contradiction__text">{event[text]}</q>}
              {said(sentence)}
            </p>
          ))}
          {beside === 'schedule' ? (
            <a href="/">{t('Open the event')}</a>
          ) : (
            <a href="/admin?tab=settings#schedule">{t('Open the schedule')}</a>
          )}
        </div>
      )}
    </div>
  )
}
