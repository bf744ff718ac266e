import type { EventPayload } from '#db/event/schema.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { clockText, weekdayText } from '#db/schedule/texts.ts'
import { CommandError } from '../exit-code.ts'
import { timeIn, weekdayIn } from '../schedule/words.ts'
import { eventQuestions, type Setup } from './setup.ts'

/** Asks one question; its preset is what Enter alone means. */
export type Ask = (question: {
  label: string
  preset: string
  refusal?: (input: string) => string | undefined
}) => Promise<string>

type Times = Pick<Schedule, 'weekday' | 'startTime'>

/** Asks on which day of the week and at what time services begin, as far as that is not given. */
export async function askSchedule(given: Partial<Times>, stored: Times, ask: Ask): Promise<Times> {
  const weekday = given.weekday ?? weekdayIn(await askForWeekday(stored, ask))
  const startTime = given.startTime ?? timeIn(await askForStart(stored, ask))
  return { weekday, startTime }
}

function askForWeekday({ weekday }: Times, ask: Ask): Promise<string> {
  return ask({ label: 'Day of the week of the service:', preset: weekdayText(weekday), refusal: refusalBy(weekdayIn) })
}

function askForStart({ startTime }: Times, ask: Ask): Promise<string> {
  return ask({ label: 'When it starts:', preset: clockText(startTime), refusal: refusalBy(timeIn) })
}

/** Asks for the texts that are not given. A stored text that contradicts the schedule is not proposed. */
export async function askEvent(
  given: Setup['event'],
  stored: EventPayload,
  schedule: Times,
  ask: Ask,
): Promise<Setup['event']> {
  const contradicting = findContradictions(stored, schedule).map(({ text }) => text)
  const fitting = { date: `Every ${weekdayText(schedule.weekday)}`, time: clockText(schedule.startTime) }
  const proposed = { ...stored }
  for (const text of contradicting) proposed[text] = fitting[text]
  const event: Setup['event'] = {}
  for (const { key, label } of eventQuestions) {
    if (given[key] !== undefined) continue
    const input = await ask({ label, preset: proposed[key] })
    if (input !== stored[key]) event[key] = input
  }
  return event
}

function refusalBy(read: (word: string) => unknown): (input: string) => string | undefined {
  return (input) => {
    try {
      read(input)
      return undefined
    } catch (error) {
      if (error instanceof CommandError) return error.message
      throw error
    }
  }
}
