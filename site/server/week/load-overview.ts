import type { Call } from '#db/operation.ts'
import { listFilledRoles } from '#db/rsvp/sheet/operations.ts'
import { countByWeek, countOffers, type Headcount, sumOf, type WeekHeadcount } from '#db/rsvp/statistics.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekDate } from '#db/schedule/week-date.ts'
import { listTurnouts } from '#db/turnout/operations.ts'
import { firstOfYear, weeksOfYear, type YearWeek } from './year.ts'

/** A role and how many offered to fill it; for one service who, and how many of those `needed` are missing. */
type RoleOffers = { id: number; name: string; offers: number } & (
  | { people: string[]; needed: number | null; missing: number }
  | { people?: never }
)

/** The week that is shown, and those that could be. */
export type WeekChoice = {
  /** The day of the service that is shown; undefined for all of them. */
  date: string | undefined
  /** The days of this week's service and of the next one. */
  current: { this: string | undefined; next: string | undefined }
  /** Every service that there are responses for, the latest first. */
  weeks: WeekHeadcount[]
}

/** What the administration says above its table: how many come, and who serves. */
export type WeekOverview = WeekChoice & {
  headcount: Headcount
  roles: RoleOffers[]
  year: YearWeek[]
}

/** Counts for one service, or for all of them together where there is no `date`. */
export async function loadOverview(
  date: string | undefined,
  schedule: CurrentSchedule,
  call: Call,
): Promise<WeekOverview> {
  const current = { this: weekDate('this', schedule, call.now), next: weekDate('next', schedule, call.now) }
  const last = current.this ?? ''
  const [weeks, roles, turnouts] = await Promise.all([
    countByWeek({}, call),
    loadRoles(date, call),
    listTurnouts({ from: firstOfYear(last), until: last }, call),
  ])
  return {
    date,
    current,
    headcount: sumOf(date === undefined ? weeks : weeks.filter((week) => week.date === date)),
    weeks,
    roles,
    year: weeksOfYear(weeks, schedule.skippedDates, last, turnouts),
  }
}

async function loadRoles(date: string | undefined, call: Call): Promise<RoleOffers[]> {
  if (date === undefined) return countOffers({}, call)
  return (await listFilledRoles({ week: date }, call)).map((role) => ({ ...role, offers: role.people.length }))
}
