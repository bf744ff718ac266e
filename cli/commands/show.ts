import { getRsvp } from '#db/rsvp/list.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'

import type { Context } from '../context.ts'
import { printOutput } from '../output/output.ts'
import { detailsOf } from '../responses/details.ts'

/** Shows one response in full. */
export async function run(id: string, options: { json?: true }, { call, io }: Context): Promise<void> {
  const response = await getRsvp({ id }, call)
  const details = detailsOf(response, await shownTimeZone())
  const screen = async (width: number) => {
    const { renderTexts } = await import('../ui/LabelledTexts.tsx')
    return renderTexts(details, width)
  }
  return printOutput(options.json, { value: response, rows: details, screen }, io)
}
