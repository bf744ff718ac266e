import { getRsvp } from '#db/rsvp/operations.ts'
import type { Context } from '../context.ts'
import { outputKind, print, printJson, printRows } from '../output/output.ts'
import { detailsOf } from '../responses/details.ts'

/** Shows one response in full. */
export async function run(id: string, options: { json?: true }, { call, io }: Context): Promise<void> {
  const response = await getRsvp({ id }, call)
  const details = detailsOf(response)
  switch (outputKind(options.json, io)) {
    case 'json':
      return printJson(response, io)
    case 'lines':
      return printRows(details, io)
    case 'screen': {
      const { drawnTexts } = await import('../ui/LabelledTexts.tsx')
      return print(drawnTexts(details, io.stdout.columns), io)
    }
  }
}
