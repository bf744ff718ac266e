import { cellsOf } from '#db/rsvp/fields.ts'
import type { Context } from '../context.ts'
import { outputKind, print, printRows } from '../output/output.ts'
import { escapedJson } from '../output/plain-text.ts'
import { newResponses } from '../responses/new-responses.ts'
import { sayWeek, withDateOfWeek } from '../responses/read-responses.ts'

/** Shows responses as they come in, until it is interrupted. */
export async function run(options: { week?: string; json?: true }, context: Context): Promise<void> {
  const kind = outputKind(options.json, context.io)
  const { week } = await withDateOfWeek(options, context)
  if (kind === 'screen') return watchOnScreen(week, context)
  sayWeek({ week }, context)
  for await (const response of newResponses({ week }, context)) {
    if (kind === 'json') await print(`${escapedJson(JSON.stringify(response))}\n`, context.io)
    else await printRows([cellsOf(response)], context.io)
  }
}

async function watchOnScreen(week: string | undefined, context: Context): Promise<void> {
  const { drawScreen } = await import('../ui/draw.tsx')
  const { WatchScreen } = await import('../screens/WatchScreen.tsx')
  const { shownTimeZone } = await import('#db/schedule/read-schedule.ts')
  const zone = await shownTimeZone()
  // Quitting gives the terminal back at once, not after the next read of the database.
  const left = new AbortController()
  const signal = AbortSignal.any([context.signal, left.signal])
  const responses = newResponses({ week }, { ...context, signal })
  await drawScreen(WatchScreen, { responses, week, zone }, { ...context, fullScreen: true })
  left.abort()
}
