import { getRsvp } from '#db/rsvp/operations.ts'
import type { Context } from '../context.ts'
import { outputKind, print, printJson, printRows } from '../output/output.ts'
import { detailsOf } from '../responses/details.ts'

/** Shows one response in full. */
export async function run(id: string, options: { json?: true }, { call }: Context): Promise<void> {
  const response = await getRsvp({ id }, call)
  const details = detailsOf(response)
  switch (outputKind(options.json)) {
    case 'json':
      return printJson(response)
    case 'lines':
      return printRows(details)
    case 'screen': {
      const { drawnTexts } = await import('../ui/LabelledTexts.tsx')
      return print(drawnTexts(details))
    }
  }
}
