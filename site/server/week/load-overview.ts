import type { Call } from '#db/operation.ts'
import { countByWeek, countOffers, type Headcount, sumOf } from '#db/rsvp/counts.ts'
import type { ToCall } from '#db/rsvp/schema.ts'
import { listFilledRoles, listToCall } from '#db/rsvp/sheet.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekDate } from '#db/schedule/services.ts'
import { getTurnout, listTurnouts } from '#db/turnout/operations.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { type WeekChoice, weekChoice } from './week-choice.ts'
import { firstOfYear, weeksOfYear, type YearWeek } from './year.ts'

/** A role and how many offered to fill it; for one service who, and how many of those `needed` are missing. */
type RoleOffers = { id: number; name: string; offers: number } & (
  | { people: string[]; needed: number | null; missing: number }
  | { people?: never }
)

/** What the administration says above its table: how many come, and who serves. */
export type WeekOverview = WeekChoice & {
  headcount: Headcount
  /** How many really came; null where no one has counted, undefined where the day is still to come. */
  turnout: number | null | undefined
  roles: RoleOffers[]
  year: YearWeek[]
  /** Whom to call, where the service is skipped. */
  toCall: ToCall[] | undefined
  /** The days of other services to come that are skipped although someone wanted to come to them, the earliest first. */
  alsoToCall: string[]
}

/** Counts for one service, or for all of them together where there is no `date`. */
export async function loadOverview(
  date: string | undefined,
  schedule: CurrentSchedule,
  call: Call,
): Promise<WeekOverview> {
  const last = weekDate('this', schedule, call.now) ?? ''
  const [weeks, roles, turnout, turnouts, toCall] = await Promise.all([
    countByWeek({}, call),
    loadRoles(date, call),
    loadTurnout(date, schedule, call),
    listTurnouts({ from: firstOfYear(last), until: last }, call),
    date !== undefined && schedule.skippedDates.includes(date) ? listToCall({ week: date }, call) : undefined,
  ])
  const choice = weekChoice(date, { weeks, isCounted: typeof turnout === 'number' }, schedule, call.now)
  return {
    ...choice,
    headcount: sumOf(date === undefined ? weeks : weeks.filter((week) => week.date === date)),
    turnout,
    roles,
    year: weeksOfYear(weeks, schedule.skippedDates, last, turnouts),
    toCall,
    alsoToCall: await listAlsoToCall(choice, call),
  }
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
