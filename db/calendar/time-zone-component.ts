import { tzOffset, tzScan } from '@date-fns/tz'
import { millisecondsInMinute } from 'date-fns/constants'
import ICAL from 'ical.js'
import { weekdayName } from './weekday-name.ts'

/** How far ahead the changes of a zone's clocks are looked up. */
const YEARS_AHEAD = 10
const BEFORE_ALL_CHANGES = '1970-01-01T00:00:00'

/** A change of a zone's clocks. Offsets are in minutes from UTC. */
type Change = {
  from: number
  to: number
  /** On the clock as it was until then, e.g. `2026-03-08T02:00:00`. */
  at: string
}

/**
 * The time zone for programs that do not know it, or know older rules: from the year before a day to ten years from now.
 * It comes from the same source as our own dates, Intl, and not from a library of its own, which would be older or newer.
 */
export function timeZoneComponent(zone: string, since: string, now: Date): ICAL.Component {
  const start = new Date(Date.UTC(Number(since.slice(0, 4)) - 1, 0))
  const end = new Date(Date.UTC(now.getUTCFullYear() + YEARS_AHEAD + 1, 0))
  const years = end.getUTCFullYear() - start.getUTCFullYear()
  const changes = changesBetween(zone, start, end)
  const component = new ICAL.Component('vtimezone')
  component.addPropertyWithValue('tzid', zone)
  for (const observance of yearly(changes, years) ?? listed(changes, tzOffset(zone, start)))
    component.addSubcomponent(observance)
  return component
}

function changesBetween(zone: string, start: Date, end: Date): Change[] {
  return tzScan(zone, { start, end }).map(({ date, change, offset }) => {
    // It looks at full hours, but the clocks of Lord Howe change at 15:30 UTC.
    let moment = date.getTime()
    while (tzOffset(zone, new Date(moment - millisecondsInMinute)) === offset) moment -= millisecondsInMinute
    const from = offset - change
    return { from, to: offset, at: new Date(moment + from * millisecondsInMinute).toISOString().slice(0, 19) }
  })
}

/** The changes as rules, e.g. on the second Sunday of each March; undefined if they follow none. Outlook needs rules. */
function yearly(changes: Change[], years: number): ICAL.Component[] | undefined {
  const kinds = Map.groupBy(changes, ({ from, to }) => `${from} ${to}`)
  const observances: ICAL.Component[] = []
  for (const same of kinds.values()) {
    const [first] = same
    const rule = same.length === years ? ruleOf(same.map(({ at }) => at)) : undefined
    if (first === undefined || rule === undefined) return undefined
    const observance = observanceOf(first)
    observance.addPropertyWithValue('rrule', ICAL.Recur.fromString(rule))
    observances.push(observance)
  }
  return observances.length === 0 ? undefined : observances
}

/** The yearly rule that all these days and times follow. */
function ruleOf(times: string[]): string | undefined {
  const kinds = new Set(times.map((at) => `${at.slice(5, 7)} ${new Date(`${at}Z`).getUTCDay()} ${at.slice(11)}`))
  if (kinds.size !== 1) return undefined
  const [first = ''] = times
  const weeks = new Set(times.map(weekOf))
  if (weeks.size > 1 && !times.every(isLastWeek)) return undefined
  const week = times.every(isLastWeek) ? -1 : weekOf(first)
  const weekday = weekdayName(new Date(`${first}Z`).getUTCDay())
  return `FREQ=YEARLY;BYMONTH=${Number(first.slice(5, 7))};BYDAY=${week}${weekday}`
}

/** Which of its weekday in its month it is: 1 to 5. */
function weekOf(at: string): number {
  return Math.ceil(Number(at.slice(8, 10)) / 7)
}

function isLastWeek(at: string): boolean {
  const nextWeek = new Date(`${at}Z`)
  nextWeek.setUTCDate(nextWeek.getUTCDate() + 7)
  return nextWeek.toISOString().slice(5, 7) !== at.slice(5, 7)
}

/** Each change by itself, behind the time before all of them. */
function listed(changes: Change[], offset: number): ICAL.Component[] {
  return [{ from: offset, to: offset, at: BEFORE_ALL_CHANGES }, ...changes].map(observanceOf)
}

function observanceOf({ from, to, at }: Change): ICAL.Component {
  const component = new ICAL.Component(to > from ? 'daylight' : 'standard')
  component.addProperty(new ICAL.Property(['dtstart', {}, 'date-time', at]))
  component.addPropertyWithValue('tzoffsetfrom', offsetOf(from))
  component.addPropertyWithValue('tzoffsetto', offsetOf(to))
  return component
}

function offsetOf(minutes: number): ICAL.UtcOffset {
  return ICAL.UtcOffset.fromSeconds(minutes * 60)
}
