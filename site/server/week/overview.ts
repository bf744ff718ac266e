import { type Call, seesContactData } from '#db/operation.ts'
import { countByWeek, countOffers, type People, sumOf, type WeekHeadcount } from '#db/rsvp/counts.ts'
import type { ToCall } from '#db/rsvp/schema.ts'
import { listFilledRoles, listToCall } from '#db/rsvp/sheet.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekDate } from '#db/schedule/services.ts'
import { getTurnout, listTurnouts, type Turnout } from '#db/turnout/operations.ts'
import { addDays } from '#db/values/dates.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { numberText } from '#site/texts/dates.ts'
import { locale } from '#site/texts/texts.ts'
import { type WeekChoice, weekChoice } from './week-choice.ts'

/** A role and how many offered to fill it; for a single service also who, and how many are missing. */
type RoleOffers = { id: number; name: string; offers: number } & (
  | { people: string[]; needed: number | null; missing: number }
  | { people?: never }
)

/** What the administration shows above its table: how many come, and who serves. */
export type WeekOverview = Awaited<ReturnType<typeof loadOverview>>

/** Margins: left for numbers, bottom for months, top for the label of this week. */
const LEFT = 9
const TOP = 14
const BOTTOM = 86
/** Between two bars, as a part of a week. */
const GAP = 0.25
/** With fewer weeks, the first bars stay empty, so that bars do not get too wide. */
const LEAST_WEEKS = 13

/** A week of the chart. `people` are those expected: undefined without a service. `turnout` may not be counted. */
export type YearWeek = { date: string; people: People | undefined; turnout: number | undefined }

/** A year and the week that it ends with. */
const WEEKS = 53

/** Counts for one service, or for all services without a `date`. */
export async function loadOverview(date: string | undefined, schedule: CurrentSchedule, call: Call) {
  const last = weekDate('this', schedule, call.now) ?? ''
  const [weeks, roles, turnout, turnouts, toCall] = await Promise.all([
    countByWeek({}, call),
    loadRoles(date, call),
    loadTurnout(date, schedule, call),
    listTurnouts({ from: addDays(last, 1 - 7 * WEEKS), until: last }, call),
    date !== undefined && schedule.skippedDates.includes(date) ? readToCall(date, call) : undefined,
  ])
  const choice = weekChoice(date, { weeks, isCounted: typeof turnout === 'number' }, schedule, call.now)
  return {
    ...choice,
    headcount: sumOf(date === undefined ? weeks : weeks.filter((week) => week.date === date)),
    /** null if not counted, undefined if the day is in the future. */
    turnout,
    roles,
    year: weeksOfYear(weeks, schedule.skippedDates, last, turnouts),
    /** The people to call, if the service is skipped; none for a reader who sees no contact data. */
    toCall,
    /** Other days in the future that are skipped and have people to call, earliest first. */
    alsoToCall: await listAlsoToCall(choice, call),
  }
}

/** The bars of a year. In percent, so that texts keep their size on every screen. */
export function chartOf(year: YearWeek[]) {
  const weeks = padded(year).map(({ date }) => date)
  const week = (100 - LEFT) / (weeks.length - GAP)
  const width = week * (1 - GAP)
  const lines = linesUpTo(Math.max(1, ...year.flatMap(({ people, turnout }) => [people?.expected ?? 0, turnout ?? 0])))
  const y = (people: number) => BOTTOM - ((BOTTOM - TOP) * people) / (lines.at(-1) ?? 1)
  const leftOf = (date: string) => LEFT + week * weeks.indexOf(date)
  const middleOf = (date: string) => percent(leftOf(date) + width / 2)
  return {
    bars: year.flatMap(({ date, people }) => {
      if (people === undefined) return []
      const { expected } = people
      const [top, height] = [percent(y(expected)), percent(BOTTOM - y(expected))]
      return [{ date, expected, x: percent(leftOf(date)), y: top, width: percent(width), height }]
    }),
    turnouts: year.flatMap(({ date, turnout }) =>
      turnout === undefined ? [] : [{ date, people: turnout, x: middleOf(date), y: percent(y(turnout)) }],
    ),
    gaps: year.filter(({ people }) => people === undefined).map(({ date }) => ({ date, x: middleOf(date) })),
    ticks: lines.map((people) => ({ label: numberText(people), y: percent(y(people)) })),
    months: weeks
      .filter((date, place) => place > 0 && date.slice(0, 7) !== weeks[place - 1]?.slice(0, 7))
      .map((date) => ({ label: monthFormat().format(new Date(date)), x: percent(leftOf(date)) })),
    left: percent(LEFT),
    bottom: percent(BOTTOM),
  }
}

/**
 * The weeks up to that of the service on `last`, earliest first: a year, or all since the first responses. A service on
 * another weekday counts in the week of the next service.
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

async function readToCall(week: string, call: Call): Promise<ToCall> {
  return seesContactData(call) ? listToCall({ week }, call) : { people: [], total: 0 }
}

async function listAlsoToCall({ date: shown, today, weeks }: WeekChoice, call: Call): Promise<string[]> {
  const ahead = weeks.filter(({ date, skipped }) => date >= today && date !== shown && skipped).toReversed()
  const people = await Promise.all(ahead.map(({ date }) => readToCall(date, call)))
  return ahead.flatMap(({ date }, place) => (people[place]?.total ? [date] : []))
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

/** Up to six round numbers from 0 on, the last of them not below the highest. */
function linesUpTo(highest: number): number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(highest / 5)))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each * 5 >= highest) ?? highest
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, place) => place * step)
}

function percent(position: number): string {
  return `${Number(position.toFixed(2))}%`
}
