import { clockText } from '#db/schedule/clock-text.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { weekdayText } from '#db/schedule/texts.ts'
import { Button } from '#site/ui/Button.tsx'

/** Says that no one has confirmed the schedule, what follows from that, and offers to confirm it as it is. */
export function GuessNote({
  schedule: { weekday, startTime, timeZone },
  onConfirm,
}: {
  schedule: Schedule
  /** Missing while something else is typed, which is to be saved instead. */
  onConfirm: (() => void) | undefined
}) {
  return (
    <div className="notice schedule__guess">
      <p>
        <strong>This is a guess until you save it:</strong> {weekdayText(weekday)}s at {clockText(startTime)} (
        {timeZone}). Once it is saved, the form says which day a response is for, and the responses of each week are
        counted by themselves.
      </p>
      {onConfirm && (
        <Button variant="secondary" onClick={onConfirm}>
          It Is Right
        </Button>
      )}
    </div>
  )
}
