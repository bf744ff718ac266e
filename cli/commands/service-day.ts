import { recordAct } from '#db/audit/operations.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import type { Call } from '#db/operation.ts'
import { getStatistics, type Statistics } from '#db/rsvp/counts.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { weekDate } from '#db/schedule/services.ts'
import { changeTurnout, getTurnout } from '#db/turnout/operations.ts'
import { fullDayText } from '#db/values/dates.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { dayIn } from '#db/values/time-zone.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit-code.ts'
import { counted, isDrawnOn, print, printJson, printRows, say } from '../output/output.ts'
import {
  dateOfWeek,
  filterOf,
  type ResponseOptions,
  responsePages,
  withDefaultWeek,
} from '../responses/read-responses.ts'

/** The width of a sheet that is not for a terminal, in characters: mail programs and printers wrap longer lines. */
const WIDTH = 80

type SheetOptions = { week: string; withoutMessages?: true; json?: true }

export async function showStatistics(given: ResponseOptions & { json?: true }, context: Context): Promise<void> {
  const { call, io } = context
  const options = await withDefaultWeek(given, context)
  const { week } = options
  let ids: number[] | undefined
  if (options.search !== undefined) {
    // Not in the database, which does not fold accents.
    ids = []
    for await (const page of responsePages(options, call)) ids.push(...page.map(({ id }) => id))
  }
  const statistics = await getStatistics({ ...(await filterOf(options)), ids }, call)
  // Not for all weeks together: the people expected include services at which no one was counted.
  const turnout = week === undefined ? undefined : ((await getTurnout({ date: week }, call))?.people ?? null)
  if (options.json) return printJson({ week, ...statistics, turnout }, io)
  await printRows([...(week === undefined ? [] : [['Service', week]]), ...rowsOf(statistics, turnout ?? null)], io)
}

export async function printSheet(options: SheetOptions, context: Context): Promise<void> {
  const { call, io } = context
  const week = await dateOfWeek(options.week, context)
  if (week === undefined) throw usageError('A sheet is for one service: say --week this or next.')
  const sheet = await getSheet({ week }, call)
  await recordAct({ action: 'responses printed', subject: week }, call)
  const shown = options.withoutMessages ? { ...sheet, messages: [] } : sheet
  if (options.json) return printJson(shown, io)
  const { title } = (await getEvent(call)) ?? toPayload(defaultEvent)
  const { renderSheet } = await import('../screens/Sheet.tsx')
  const width = isDrawnOn(io.stdout, io.env) ? io.stdout.columns : WIDTH
  await print(renderSheet({ sheet: shown, title, width }), io)
}

export async function storeTurnout(
  word: string,
  people: number | 'none',
  { json }: { json?: true },
  { call, quiet, io }: Context,
): Promise<void> {
  const date = await dateOf(word, people, call)
  const before = await getTurnout({ date }, call)
  const after = await changeTurnout({ date, turnout: people === 'none' ? null : people }, call)
  if (!quiet) say(changedText(date, before?.people ?? null, after.turnout), io)
  if (json) await printJson(after, io)
}

function rowsOf(
  { counted: responses, people, superseded, services, roles }: Statistics,
  turnout: number | null,
): [string, number][] {
  return [
    ...(services > 1 ? [['Services together', services] satisfies [string, number]] : []),
    ['Attending', responses.attending],
    ['Not Attending', responses.notAttending],
    ...(superseded === 0 ? [] : [['Sent again, not counted', superseded] satisfies [string, number]]),
    ['People expected', people.expected],
    ...(turnout === null ? [] : [['People who came', turnout] satisfies [string, number]]),
    ['Adults', people.adults],
    ['Teens', people.teens],
    ['Children', people.children],
    ['Age not said', people.notSaid],
    ...roles.map(({ name, offers }): [string, number] => [name, offers]),
  ]
}

/** @throws CommandError 'usage' for a word that names no service, or a service that is still to come. */
async function dateOf(word: string, people: number | 'none', call: Call): Promise<string> {
  const week = word.toLowerCase()
  if (week === 'this' || week === 'last') {
    const schedule = await getSchedule(call)
    const date = weekDate(week, schedule, call.now) ?? word
    if (week === 'last' || people === 'none' || date <= dayIn(schedule.timeZone, call.now)) return date
    // Right after a service, people still call it this week's.
    throw usageError(
      `This week's service is on ${fullDayText(date)} and still to come. Use last for the one on ${fullDayText(schedule.lastService)}.`,
    )
  }
  if (calendarDay.safeParse(word).success) return word
  throw usageError(`${JSON.stringify(word)} is not a service. Give this, last, or the day of one, e.g. 2026-11-21.`)
}

function changedText(date: string, before: number | null, after: number | null): string {
  const day = fullDayText(date)
  if (after === null) return before === null ? `${day} has no turnout.` : `The turnout of ${day} is removed: ${before}.`
  const came = `${counted(after, 'person', 'people')} came on ${day}.`
  return before === null || before === after ? came : `${came} Before, the number was ${before}.`
}
