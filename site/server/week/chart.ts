import { scaleBand, scaleLinear } from 'd3-scale'
import { addDays } from '#db/values/dates.ts'
import { numberText } from '#site/texts/dates.ts'
import { locale } from '#site/texts/plural.ts'
import { averageBefore, type YearWeek } from './year.ts'

/** Where things are, in percent of the width or height, so that texts keep their size on every screen. */
export type Chart = {
  bars: { date: string; expected: number; x: string; y: string; width: string; height: string }[]
  /** How many really came. */
  turnouts: { date: string; people: number; x: string; y: string }[]
  gaps: { date: string; x: string }[]
  ticks: { label: string; y: string }[]
  months: { label: string; x: string }[]
  average: { people: number; y: string } | undefined
  left: string
  bottom: string
}

/** What is left of the bars is for numbers, below them for months, above them for the name of this week. */
const LEFT = 9
const TOP = 14
const BOTTOM = 86
/** Fewer weeks than these leave the first ones empty, so that no bar becomes a block. */
const LEAST_WEEKS = 13

/** The bars of a year, up to the service on a day. */
export function chartOf(year: YearWeek[], day: string): Chart {
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
