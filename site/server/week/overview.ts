import { scaleBand, scaleLinear } from 'd3-scale'
import type { Call } from '#db/operation.ts'
import { countByWeek, countOffers, type People, sumOf, type WeekHeadcount } from '#db/rsvp/counts.ts'
import { listFilledRoles, listToCall } from '#db/rsvp/sheet.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekDate } from '#db/schedule/services.ts'
import { getTurnout, listTurnouts, type Turnout } from '#db/turnout/operations.ts'
import { addDays } from '#db/values/dates.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { numberText } from '#site/texts/dates.ts'
import { locale } from '#site/texts/texts.ts'
import { type WeekChoice, weekChoice } from './week-choice.ts'

/** A role and how many offered to fill it; for one service who, and how many of those `needed` are missing. */
type RoleOffers = { id: number; name: string; offers: number } & (
  | { people: string[]; needed: number | null; missing: number }
  | { people?: never }
)

/** What the administration says above its table: how many come, and who serves. */
export type WeekOverview = Awaited<ReturnType<typeof loadOverview>>

/** What is left of the bars is for numbers, below them for months, above them for the name of this week. */
const LEFT = 9
const TOP = 14
const BOTTOM = 86
/** Fewer weeks than these leave the first ones empty, so that no bar becomes a block. */
const LEAST_WEEKS = 13

/** A week of the year: how many were expected, and how many really came if they were counted. Without people there was no service. */
export type YearWeek = { date: string; people: People | undefined; turnout: number | undefined }

/** A year and the week that it ends with. */
const WEEKS = 53

/** Counts for one service, or for all of them together where there is no `date`. */
export async function loadOverview(date: string | undefined, schedule: CurrentSchedule, call: Call) {
  const last = weekDate('this', schedule, call.now) ?? ''
  const [weeks, roles, turnout, turnouts, toCall] = await Promise.all([
    countByWeek({}, call),
    loadRoles(date, call),
    loadTurnout(date, schedule, call),
    listTurnouts({ from: addDays(last, 1 - 7 * WEEKS), until: last }, call),
    date !== undefined && schedule.skippedDates.includes(date) ? listToCall({ week: date }, call) : undefined,
  ])
  const choice = weekChoice(date, { weeks, isCounted: typeof turnout === 'number' }, schedule, call.now)
  return {
    ...choice,
    headcount: sumOf(date === undefined ? weeks : weeks.filter((week) => week.date === date)),
    /** How many really came; null where no one has counted, undefined where the day is still to come. */
    turnout,
    roles,
    year: weeksOfYear(weeks, schedule.skippedDates, last, turnouts),
    /** Whom to call, where the service is skipped. */
    toCall,
    /** The days of other services to come that are skipped although someone wanted to come to them, the earliest first. */
    alsoToCall: await listAlsoToCall(choice, call),
  }
}

/**
 * The bars of a year, up to the service on a day. Where things are is in percent of the width or height, so that texts keep
 * their size on every screen.
 */
export function chartOf(year: YearWeek[], day: string) {
  const weeks = padded(year).map(({ date }) => date)
  const x = scaleBand(weeks, [LEFT, 100]).paddingInner(0.25)
  const y = scaleLinear(
    [0, Math.max(1, ...year.flatMap(({ people, turnout }) => [people?.expected ?? 0, turnout ?? 0]))],
    [BOTTOM, TOP],
  ).nice(4)
  const leftOf = (date: string) => x(date) ?? 0
  const middleOf = (date: string) => percent(leftOf(date) + x.bandwidth() / 2)
  const average = averageBefore(year, day)
  return {
    bars: year.flatMap(({ date, people }) => {
      if (people === undefined) return []
      const { expected } = people
      const [top, height] = [percent(y(expected)), percent(BOTTOM - y(expected))]
      return [{ date, expected, x: percent(leftOf(date)), y: top, width: percent(x.bandwidth()), height }]
    }),
    /** How many really came. */
    turnouts: year.flatMap(({ date, turnout }) =>
      turnout === undefined ? [] : [{ date, people: turnout, x: middleOf(date), y: percent(y(turnout)) }],
    ),
    gaps: year.filter(({ people }) => people === undefined).map(({ date }) => ({ date, x: middleOf(date) })),
    ticks: y
      .ticks(4)
      .filter(Number.isInteger)
      .map((tick) => ({ label: numberText(tick), y: percent(y(tick)) })),
    months: weeks
      .filter((date, place) => place > 0 && date.slice(0, 7) !== weeks[place - 1]?.slice(0, 7))
      .map((date) => ({ label: monthFormat().format(new Date(date)), x: percent(leftOf(date)) })),
    average: average === undefined ? undefined : { people: average, y: percent(y(average)) },
    left: percent(LEFT),
    bottom: percent(BOTTOM),
  }
}

/**
 * The weeks up to the one of a service, the earliest first: a year of them, or all since the first responses. Where
 * services were on another weekday, the week is that of the next service.
 * @internal Exported for its test.
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

/**
 * How many people were expected on average at the services before a day, from the first one on that anyone responded
 * for; undefined where there is none.
 * @internal Exported for its test.
 */
export function averageBefore(year: YearWeek[], day: string): number | undefined {
  const before = year.flatMap(({ date, people }) => (people === undefined || date >= day ? [] : [people.expected]))
  // Before that the site was not in use: what the usher counted then says nothing of responses.
  const first = before.findIndex((people) => people > 0)
  if (first === -1) return undefined
  const expected = before.slice(first)
  return Math.round(expected.reduce((sum, people) => sum + people, 0) / expected.length)
}

async function listAlsoToCall({ date: shown, today, weeks }: WeekChoice, call: Call): Promise<string[]> {
  const ahead = weeks.filter(({ date, skipped }) => date >= today && date !== shown && skipped).toReversed()
  const people = await Promise.all(ahead.map(({ date }) => listToCall({ week: date }, call)))
  return ahead.flatMap(({ date }, place) => (people[place]?.length ? [date] : []))
}

async function loadTurnout(date: string | undefined, { timeZone }: CurrentSchedule, call: Call) {
  if (date === undefined || date > dayIn(timeZone, call.now)) return undefined
  return (await getTurnout({ date }, call))?.people ?? null
}

async function loadRoles(date: string | undefined, call: Call): Promise<RoleOffers[]> {
  if (date === undefined) return countOffers({}, call)
  return (await listFilledRoles({ week: date }, call)).map((role) => ({ ...role, offers: role.people.length }))
}

const monthFormat = () => new Intl.DateTimeFormat(locale(), { month: 'short', timeZone: 'UTC' })

function padded(year: YearWeek[]): Pick<YearWeek, 'date'>[] {
  const [first] = year
  if (first === undefined) return []
  const missing = Math.max(0, LEAST_WEEKS - year.length)
  const before = Array.from({ length: missing }, (_, place) => ({ date: addDays(first.date, 7 * (place - missing)) }))
  return [...before, ...year]
}

function percent(position: number): string {
  return `${Number(position.toFixed(2))}%`
}
