import type { CurrentSchedule, Service } from '#db/schedule/schema.ts'
import { clockText, closingText, durationText, startText, timeAt, weekdayText } from '#db/schedule/texts.ts'
import { dayText } from '#db/values/dates.ts'
import type { Io } from '../io.ts'
import { printOutput } from '../output/output.ts'

/** Shows when services are, and the next ones. `contradictions` are sentences about the texts of the event. */
export async function printSchedule(
  schedule: CurrentSchedule,
  contradictions: string[],
  json: true | undefined,
  io: Io,
): Promise<void> {
  const screen = async (width: number) => {
    const { renderTexts } = await import('../ui/LabelledTexts.tsx')
    return renderTexts(textsOf(schedule, contradictions), width)
  }
  return printOutput(json, { value: schedule, rows: rowsOf(schedule, contradictions), screen }, io)
}

/** When services are, in a sentence. */
export function scheduleSentence(schedule: CurrentSchedule): string {
  const { durationMinutes, closesMinutesBefore } = schedule
  return `Services are on ${startText(schedule)}, ${durationText(durationMinutes)} long. RSVPs close ${closingText(closesMinutesBefore)}.`
}

function textsOf(schedule: CurrentSchedule, contradictions: string[]): [string, string][] {
  const { weekday, startTime, durationMinutes, timeZone, closesMinutesBefore, skippedDates, services } = schedule
  return [
    ['Weekday', weekdayText(weekday)],
    ['Time', clockText(startTime)],
    ['Length', durationText(durationMinutes)],
    ['Time zone', timeZone],
    ['RSVPs close', closingText(closesMinutesBefore)],
    ['Skipped', skippedDates.map((day) => dayText(day)).join('\n') || 'none'],
    ['Confirmed', schedule.confirmed ? 'yes' : 'no, this is the default: see `rsvp schedule set`'],
    ['Next services', services.map((service) => serviceText(service, schedule)).join('\n')],
    ...(contradictions.length > 0 ? [['Contradictions', contradictions.join('\n')] satisfies [string, string]] : []),
  ]
}

/** Dates and moments as programs read them, a line for each. */
function rowsOf(schedule: CurrentSchedule, contradictions: string[]): (string | number)[][] {
  const { weekday, startTime, durationMinutes, timeZone, closesMinutesBefore, skippedDates, services } = schedule
  return [
    ['Weekday', weekdayText(weekday)],
    ['Time', startTime],
    ['Minutes', durationMinutes],
    ['Time zone', timeZone],
    ['RSVPs close', closesMinutesBefore ?? 'none'],
    ['Confirmed', schedule.confirmed ? 'yes' : 'no'],
    ...skippedDates.map((date) => ['Skipped', date]),
    ...services.map(({ date, startsAt, endsAt }) => ['Service', date, startsAt, endsAt]),
    ...contradictions.map((sentence) => ['Contradiction', sentence]),
  ]
}

/** With its time only where that is another one than usual: clocks may be set forward over the start. */
function serviceText({ date, startsAt }: Service, { startTime, timeZone }: CurrentSchedule): string {
  const start = timeAt(startsAt, timeZone)
  return start === startTime ? dayText(date) : `${dayText(date)}, ${clockText(start)}`
}
