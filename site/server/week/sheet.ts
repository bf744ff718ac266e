import type { APIContext } from 'astro'
import { recordAct } from '#db/audit.ts'
import type { Call } from '#db/call.ts'
import { getEvent } from '#db/event.ts'
import { countByWeek } from '#db/rsvp/counts.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import { getSchedule } from '#db/schedule.ts'
import { changeTurnout, getTurnout } from '#db/turnout.ts'
import { defaultEvent } from '#db/values/default-event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { typedNumber } from '#db/values/numbers.ts'
import { weekDate } from '#db/values/services.ts'
import { dayIn } from '#db/values/time-zone.ts'
import type { SheetView } from '#site/lib/admin-page.ts'
import { refusalOf } from '#site/server/problem.ts'
import { viewFrom } from '#site/server/responses-view.ts'
import { weekChoice } from './week-choice.ts'

/** A number that could not be stored: as it was typed, and why. */
export type RefusedTurnout = { typed: string; message: string; status: number }

/** The view of the sheet that an address names; a sheet is never for all weeks. */
export function sheetViewFrom(searchParams: URLSearchParams): SheetView {
  const { week } = viewFrom(searchParams)
  return {
    week: week === 'all' ? undefined : week,
    messages: searchParams.get('messages') === 'no' ? 'no' : undefined,
  }
}

/** Reads the sheet of a service, with the weeks to choose from, and audits that it was printed if it has a service. */
export async function loadSheet({ week = 'this' }: SheetView, call: Call) {
  const schedule = await getSchedule(call)
  const date = weekDate(week, schedule, call.now)
  if (date === undefined) throw new Error('A sheet is for one service.')
  const [sheet, weeks, event, turnout] = await Promise.all([
    getSheet({ week: date }, call),
    countByWeek({}),
    getEvent(),
    getTurnout({ date }),
  ])
  const choice = { ...weekChoice(date, { weeks, isCounted: turnout !== null }, schedule, call.now), date }
  if (choice.filled) await recordAct({ action: 'responses printed', subject: date }, call)
  const { title } = event ?? toPayload(defaultEvent)
  return {
    sheet,
    title,
    choice,
    /** null if not counted. */
    turnout: turnout?.people ?? null,
    /** Whether the day of the service has come. */
    isCountable: choice.filled && date <= dayIn(schedule.timeZone, call.now),
  }
}

/**
 * Stores, removes or skips the turnout of a posted form, which works without JavaScript.
 * @returns the refusal; undefined after a success.
 */
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
