import { cellsOf } from '#db/rsvp/export/cells.ts'
import type { Context } from '../context.ts'
import { outputKind, print, printRows } from '../output/output.ts'
import { escapedJson } from '../output/plain-text.ts'
import { newResponses } from '../responses/new-responses.ts'

/** Shows responses as they come in, until it is interrupted. */
export async function run(options: { json?: true }, context: Context): Promise<void> {
  const kind = outputKind(options.json, context.io)
  if (kind === 'screen') return watchOnScreen(context)
  for await (const response of newResponses(context)) {
    if (kind === 'json') await print(`${escapedJson(JSON.stringify(response))}\n`, context.io)
    else await printRows([cellsOf(response)], context.io)
  }
}

async function watchOnScreen(context: Context): Promise<void> {
  const { drawScreen } = await import('../ui/draw.tsx')
  const { WatchScreen } = await import('../screens/WatchScreen.tsx')
  // Quitting gives the terminal back at once, not after the next read of the database.
  const left = new AbortController()
  const signal = AbortSignal.any([context.signal, left.signal])
  await drawScreen(WatchScreen, { responses: newResponses({ ...context, signal }) }, { ...context, fullScreen: true })
  left.abort()
}
