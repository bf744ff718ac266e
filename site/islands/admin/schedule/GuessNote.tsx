import type { Schedule } from '#db/schedule/schema.ts'
import { startText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'

/** Says that no one has confirmed the schedule, what follows from that, and offers to confirm it as it is. */
export function GuessNote({
  schedule,
  contradicted,
  zones,
  onZone,
  onConfirm,
}: {
  schedule: Schedule
  /** Whether the texts of the event name another day or time. */
  contradicted: boolean
  /** The time zones to choose from, once someone saves a guess that this device is not in; empty until then. */
  zones: string[]
  onZone: (zone: string) => void
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
      {zones.length > 0 && (
        <>
          <p role="alert">
            {t('In which time zone are the services? This device is in {own}, and the guess is {guess}.', {
              own: zones[0] ?? '',
              guess: schedule.timeZone,
            })}
          </p>
          {zones.map((zone, place) => (
            <Button
              key={zone}
              variant="secondary"
              ref={place === 0 ? focusOnce : undefined}
              onClick={() => onZone(zone)}
            >
              {zone}
            </Button>
          ))}
        </>
      )}
      {zones.length === 0 && onConfirm && (
        <Button variant="secondary" onClick={onConfirm}>
          {t('It Is Right')}
        </Button>
      )}
    </div>
  )
}

/** A stable function, so that React calls it once. */
function focusOnce(button: HTMLButtonElement | null): void {
  button?.focus()
}
