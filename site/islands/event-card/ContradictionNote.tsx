import { defaultEvent } from '#db/event/default-event.ts'
import { type EventTimes, findContradictions } from '#db/schedule/contradictions.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'

/** What the notes beside the event know of the schedule. */
export type EditorsSchedule = Pick<CurrentSchedule, 'weekday' | 'startTime' | 'confirmed'>

/**
 * Warns an administrator that the event's texts contradict the schedule, beside either, and links to the other. Beside
 * the event also that its own day or time is not in the schedule yet.
 */
export function ContradictionNote({
  event,
  schedule,
  beside,
}: {
  event: EventTimes
  schedule: Pick<EditorsSchedule, 'weekday' | 'startTime'> & Partial<EditorsSchedule>
  beside: 'event' | 'schedule'
}) {
  const found = findContradictions(event, schedule)
  const isEdited = event.date !== defaultEvent.date || event.time !== defaultEvent.time
  const isGuess = beside === 'event' && schedule.confirmed === false && isEdited
  return (
    <div className="contradiction" role="status">
      {(found.length > 0 || isGuess) && (
        <div className="notice notice--warning contradiction__notice">
          {isGuess && (
            <p>
              {t('The day and time of the service are a guess so far.')}{' '}
              {t('Save your schedule, so that visitors see the right day and can add it to their calendar.')}
            </p>
          )}
          {!isGuess &&
            found.map(({ text, sentence }) => (
              <p key={text}>
                {beside === 'schedule' && <q className="contradiction__text">{event[text]}</q>}
                {said(sentence)}
              </p>
            ))}
          {beside === 'schedule' ? (
            <a href="/">{t('Open the event')}</a>
          ) : (
            <a href="/admin?tab=settings#schedule">{isGuess ? t('Check the schedule') : t('Open the schedule')}</a>
          )}
        </div>
      )}
    </div>
  )
}
