import { type People, sumOf, type WeekHeadcount } from '#db/rsvp/counts.ts'
import type { Turnout } from '#db/turnout/schema.ts'
import { addDays } from '#db/values/dates.ts'

/** A week of the year: how many were expected, and how many really came if they were counted. Without people there was no service. */
export type YearWeek = { date: string; people: People | undefined; turnout: number | undefined }

/** A year and the week that it ends with. */
const WEEKS = 53

/**
 * The weeks up to the one of a service, the earliest first: a year of them, or all since the first responses. Where
 * services were on another weekday, the week is that of the next service.
 */
export function weeksOfYear(
  weeks: WeekHeadcount[],
  skippedDates: string[],
  last: string,
  turnouts: Pick<Turnout, 'date' | 'people'>[] = [],
): YearWeek[] {
  const year = Array.from({ length: WEEKS }, (_, back) => addDays(last, 7 * (back + 1 - WEEKS))).map((end) => {
    const isIn = (date: string) => date > addDays(end, -7) && date <= end
    const held = weeks.filter(({ date }) => isIn(date) && !skippedDates.includes(date))
    const isSkipped = held.length === 0 && skippedDates.some(isIn)
    const counted = turnouts.filter(({ date }) => isIn(date))
    const turnout = counted.length === 0 ? undefined : counted.reduce((sum, { people }) => sum + people, 0)
    return { date: held[0]?.date ?? end, people: isSkipped ? undefined : sumOf(held).people, turnout }
  })
  const first = year.findIndex(
    ({ people, turnout }) => turnout !== undefined || (people !== undefined && people.expected > 0),
  )
  return first === -1 ? [] : year.slice(first)
}

/** The first day of the year that ends with a service. */
export function firstOfYear(last: string): string {
  return addDays(last, 1 - 7 * WEEKS)
}

/**
 * How many people were expected on average at the services before a day, from the first one on that anyone responded
 * for; undefined where there is none.
 */
export function averageBefore(year: YearWeek[], day: string): number | undefined {
  const before = year.flatMap(({ date, people }) => (people === undefined || date >= day ? [] : [people.expected]))
  // Before that the site was not in use: what the usher counted then says nothing of responses.
  const first = before.findIndex((people) => people > 0)
  if (first === -1) return undefined
  const expected = before.slice(first)
  return Math.round(expected.reduce((sum, people) => sum + people, 0) / expected.length)
}
