import { getRsvp } from '#db/rsvp/list.ts'
import { shownTimeZone } from '#db/schedule.ts'
import type { Declare } from '../command.ts'
import { examples } from '../options.ts'
import { outputKind, print, printJson, printRows } from '../output.ts'
import { detailsOf } from '../response-texts.ts'

export const declare: Declare = (command, run) => {
  command
    .description('Shows one response with all of its details.')
    .argument('<id>', 'the id in the first column of `rsvp list`')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp show 12', 'rsvp show 12 --json'))
    .action(
      run('database', async (id, { json }, { io }) => {
        const response = await getRsvp({ id })
        const kind = outputKind(json, io)
        if (kind === 'json') return printJson(response, io)
        const details = detailsOf(response, await shownTimeZone())
        if (kind === 'lines') return printRows(details, io)
        const { renderTexts } = await import('../ui/LabelledText.tsx')
        await print(renderTexts(details, io.stdout.columns), io)
      }),
    )
}
