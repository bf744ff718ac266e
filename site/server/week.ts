import type { APIContext } from 'astro'
import { recordAct } from '#db/audit.ts'
import { type Call, seesContactData } from '#db/call.ts'
import { getEvent } from '#db/event.ts'
import { countByWeek, countOffers, sumOf, type WeekHeadcount } from '#db/rsvp/counts.ts'
import { getSheet, listFilledRoles, listToCall } from '#db/rsvp/sheet.ts'
import { getSchedule } from '#db/schedule.ts'
import { changeTurnout, getTurnout, listTurnouts, type Turnout } from '#db/turnout.ts'
import { addDays } from '#db/values/dates.ts'
import { defaultEvent } from '#db/values/default-event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { typedNumber } from '#db/values/numbers.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { findNoService, weekDate } from '#db/values/services.ts'
import { dayIn } from '#db/values/time-zone.ts'
import type { SheetView } from '#site/lib/admin-page.ts'
import { refusalOf } from './problem.ts'
import { viewFrom } from './responses-view.ts'

// The administration's figures for a week, and its printed sheet.

export type WeekChoice = ReturnType<typeof weekChoice>

/** A role and how many people offered to fill it. For a single service also their names, and how many are missing. */
type RoleOffers = { id: number; name: string; offers: number } & (
  | { people: string[]; needed: number | null; missing: number }
  | { people?: never }
)

export type WeekOverview = Awaited<ReturnType<typeof loadOverview>>

/** A turnout that could not be stored, as typed, and the reason. */
export type RefusedTurnout = { typed: string; message: string; status: number }

/** A year and the week that it ends with. */
const WEEKS = 53

/** Counts for one service, or for all services without a `date`. */
export async function loadOverview(date: string | undefined, schedule: CurrentSchedule, call: Call) {
  const last = weekDate('this', schedule, call.now) ?? ''
  const isComing = date === undefined || date > dayIn(schedule.timeZone, call.now)
  const needsCalls = date !== undefined && schedule.skippedDates.includes(date) && seesContactData(call)
  const [weeks, roles, turnout, turnouts, toCall] = await Promise.all([
    countByWeek({}),
    loadRoles(date),
    isComing ? undefined : getTurnout(date),
    listTurnouts(addDays(last, 1 - 7 * WEEKS), last),
    needsCalls ? listToCall({ week: date }, call) : undefined,
  ])
  const choice = weekChoice(date, { weeks, isCounted: typeof turnout === 'number' }, schedule, call.now)
  return {
    ...choice,
    headcount: sumOf(date === undefined ? weeks : weeks.filter((week) => week.date === date)),
    /** null if not counted, undefined if the day is in the future. */
    turnout,
    roles,
    year: weeksOfYear(weeks, last, turnouts),
    /** The people to call because the service is skipped. */
    toCall,
  }
}

/** The view of the sheet in an address. A sheet is never for all weeks. */
export function sheetViewFrom(searchParams: URLSearchParams): SheetView {
  const { week } = viewFrom(searchParams)
  return {
    week: week === 'all' ? undefined : week,
    messages: searchParams.get('messages') === 'no' ? 'no' : undefined,
  }
}

/** Reads the sheet of a service with the weeks to choose from, and audits that it was printed if there is a service. */
export async function loadSheet({ week = 'this' }: SheetView, call: Call) {
  const schedule = await getSchedule(call)
  const date = weekDate(week, schedule, call.now)
  if (date === undefined) throw new Error('A sheet is for one service.')
  const [sheet, weeks, event, turnout] = await Promise.all([
    getSheet({ week: date }, call),
    countByWeek({}),
    getEvent(),
    getTurnout(date),
  ])
  const choice = { ...weekChoice(date, { weeks, isCounted: turnout !== null }, schedule, call.now), date }
  if (choice.filled) await recordAct({ action: 'responses printed', subject: date }, call)
  const { title } = event ?? toPayload(defaultEvent)
  return {
    sheet,
    title,
    choice,
    /** null if not counted. */
    turnout,
    /** Whether the day of the service has come. */
    isCountable: choice.filled && date <= choice.today,
  }
}

/** Stores, removes or skips the turnout in a form post. @returns the refusal; undefined after a success. */
export async function storeTurnout({
  request,
  locals,
}: Pick<APIContext, 'request' | 'locals'>): Promise<RefusedTurnout | undefined> {
  const fields = new URLSearchParams(await request.text())
  const typed = (fields.get('turnout') ?? '').slice(0, 20)
  const turnout = fields.get('action') === 'remove' ? null : typedNumber(typed)
  try {
    await changeTurnout({ date: fields.get('date') ?? '', turnout }, locals.call)
    return undefined
  } catch (error) {
    return { typed, ...refusalOf(error) }
  }
}

/**
 * The services up to `last` that have responses or a turnout, latest first, a year at most. `people` are those expected,
 * undefined without a service; `turnout` is undefined if not counted.
 * @internal Exported for its test.
 */
export function weeksOfYear(weeks: WeekHeadcount[], last: string, turnouts: Pick<Turnout, 'date' | 'people'>[]) {
  const dates = new Set([...weeks, ...turnouts].map(({ date }) => date).filter((date) => date <= last))
  const latest = Array.from(dates).sort().reverse().slice(0, WEEKS)
  return latest.map((date) => {
    const week = weeks.find((each) => each.date === date)
    const people = week?.skipped ? undefined : sumOf(week ? [week] : []).people
    return { date, people, turnout: turnouts.find((each) => each.date === date)?.people }
  })
}

/**
 * The shown week, and the weeks to choose from.
 * @param date the day of the shown service; undefined for all services.
 * @param isCounted whether the turnout of that service is known.
 */
function weekChoice(
  date: string | undefined,
  { weeks, isCounted }: { weeks: WeekHeadcount[]; isCounted: boolean },
  schedule: CurrentSchedule,
  now: Date,
) {
  const next = weekDate('this', schedule, now)
  const noService = date === undefined ? undefined : findNoService(date, schedule)
  return {
    date,
    /** The days of the last service held, of the current or next one, and of the one after it. */
    current: { last: schedule.lastService, this: next, next: weekDate('next', schedule, now) },
    /** In the time zone of the schedule. */
    today: dayIn(schedule.timeZone, now),
    /** Services with responses, latest first. */
    weeks,
    /** Why there is no service on that day, if there is none. */
    noService,
    /** Whether there is a service, or anything stored for that day. */
    filled: noService === undefined || isCounted || weeks.some((week) => week.date === date),
    /** After a service, missing people can no longer be found. */
    isOver: date !== undefined && next !== undefined && date < next,
  }
}

async function loadRoles(date: string | undefined): Promise<RoleOffers[]> {
  if (date === undefined) return countOffers({})
  return (await listFilledRoles(date)).map((role) => ({ ...role, offers: role.people.length }))
}
