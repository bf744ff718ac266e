import type { Schedule } from '#db/schedule/schema.ts'
import { startText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'

/** Says that no one has confirmed the schedule, what follows from that, and offers to confirm it as it is. */
export function GuessNote({
  schedule,
  contradicted,
  onConfirm,
}: {
  schedule: Schedule
  /** Whether the texts of the event name another day or time. */
  contradicted: boolean
  /** Missing while something else is typed, which is to be saved instead. */
  onConfirm: (() => void) | undefined
}) {
  return (
    <div className="notice schedule__guess">
      <p>
        <strong>{t('This is a guess until you save it:')}</strong> {startText(schedule)}.{' '}
        {t(
          'Once it is saved, the form says which day a response is for, the responses of each week are counted by themselves, and services can be skipped.',
        )}
      </p>
      {contradicted && (
        <p>
          {t(
            'The event names another day or time. So visitors are offered no calendar and no choice of days until you set below when services really are, and save it.',
          )}
        </p>
      )}
      {onConfirm && (
        <Button variant="secondary" onClick={onConfirm}>
          {t('It Is Right')}
        </Button>
      )}
    </div>
  )
}
