import { recordAct } from '#db/audit/operations.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import { getStatistics, type Statistics } from '#db/rsvp/counts.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import { getTurnout } from '#db/turnout/operations.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit-code.ts'
import { isDrawnOn, print, printJson, printRows } from '../output/output.ts'
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
