import { type Call, seesContactData } from '#db/call.ts'
import { countByWeek, countOffers, type People, sumOf, type WeekHeadcount } from '#db/rsvp/counts.ts'
import { listFilledRoles, listToCall } from '#db/rsvp/sheet.ts'
import { getTurnout, listTurnouts, type Turnout } from '#db/turnout.ts'
import { addDays } from '#db/values/dates.ts'
import type { ToCall } from '#db/values/rsvp.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { weekDate } from '#db/values/services.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { weekChoice } from './week-choice.ts'

/** A role and how many offered to fill it; for a single service also who, and how many are missing. */
type RoleOffers = { id: number; name: string; offers: number } & (
  | { people: string[]; needed: number | null; missing: number }
  | { people?: never }
)

/** What the administration shows above its table: how many come, and who serves. */
export type WeekOverview = Awaited<ReturnType<typeof loadOverview>>

/** A week of the year. `people` are those expected: undefined without a service. `turnout` may not be counted. */
export type YearWeek = { date: string; people: People | undefined; turnout: number | undefined }

/** A year and the week that it ends with. */
const WEEKS = 53

/** Counts for one service, or for all services without a `date`. */
export async function loadOverview(date: string | undefined, schedule: CurrentSchedule, call: Call) {
  const last = weekDate('this', schedule, call.now) ?? ''
  const [weeks, roles, turnout, turnouts, toCall] = await Promise.all([
    countByWeek({}),
    loadRoles(date),
    loadTurnout(date, schedule, call),
    listTurnouts({ from: addDays(last, 1 - 7 * WEEKS), until: last }),
    date !== undefined && schedule.skippedDates.includes(date) ? readToCall(date, call) : undefined,
  ])
  const choice = weekChoice(date, { weeks, isCounted: typeof turnout === 'number' }, schedule, call.now)
  return {
    ...choice,
    headcount: sumOf(date === undefined ? weeks : weeks.filter((week) => week.date === date)),
    /** null if not counted, undefined if the day is in the future. */
    turnout,
    roles,
    year: weeksOfYear(weeks, last, turnouts),
    /** The people to call, if the service is skipped; none for a reader who sees no contact data. */
    toCall,
  }
}

/**
 * The services up to `last` that have responses or a turnout, latest first, a year at most.
 * @internal Exported for its test.
 */
export function weeksOfYear(weeks: WeekHeadcount[], last: string, turnouts: Pick<Turnout, 'date' | 'people'>[]) {
  const dates = new Set([...weeks, ...turnouts].map(({ date }) => date).filter((date) => date <= last))
  const latest = Array.from(dates).sort().reverse().slice(0, WEEKS)
  return latest.map((date): YearWeek => {
    const week = weeks.find((each) => each.date === date)
    const people = week?.skipped ? undefined : sumOf(week ? [week] : []).people
    return { date, people, turnout: turnouts.find((each) => each.date === date)?.people }
  })
}

async function readToCall(week: string, call: Call): Promise<ToCall[]> {
  return seesContactData(call) ? listToCall({ week }, call) : []
}

async function loadTurnout(date: string | undefined, { timeZone }: CurrentSchedule, call: Call) {
  if (date === undefined || date > dayIn(timeZone, call.now)) return undefined
  return (await getTurnout({ date }))?.people ?? null
}

async function loadRoles(date: string | undefined): Promise<RoleOffers[]> {
  if (date === undefined) return countOffers({})
  return (await listFilledRoles({ week: date })).map((role) => ({ ...role, offers: role.people.length }))
}
