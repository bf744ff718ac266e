import { recordAct } from '#db/audit/operations.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { isDrawnOn, print, printJson } from '../output/output.ts'
import { dateOfWeek } from '../responses/date-of-week.ts'

/** The width of a sheet that is not for a terminal, in characters: mail programs and printers wrap longer lines. */
const WIDTH = 80

type Options = { week: string; withoutMessages?: true; json?: true }

/** Prints what is needed for one service. */
export async function run(options: Options, context: Context): Promise<void> {
  const { call, io } = context
  const week = await dateOfWeek(options.week, context)
  if (week === undefined)
    throw new CommandError(exitCodes.usage, 'A sheet is for one service: say --week this or next.')
  const sheet = await getSheet({ week }, call)
  await recordAct({ action: 'responses printed', subject: week }, call)
  const shown = options.withoutMessages ? { ...sheet, messages: [] } : sheet
  if (options.json) return printJson(shown, io)
  const { title } = (await getEvent(call)) ?? toPayload(defaultEvent)
  const { renderSheet } = await import('../screens/Sheet.tsx')
  const large = isDrawnOn(io.stdout, io.env)
  await print(renderSheet({ sheet: shown, title, large, width: large ? io.stdout.columns : WIDTH }), io)
}
