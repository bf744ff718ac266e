import { restoreRsvps } from '#db/rsvp/delete.ts'
import type { Declare } from '../command.ts'
import { notFoundError } from '../errors.ts'
import { examples } from '../options.ts'
import { counted, report } from '../output.ts'
import { parseIds } from '../selection.ts'

export const declare: Declare = (command, run) => {
  command
    .description(
      'Restores deleted responses. They are permanently erased after 30 days. Exits with 3 if one was not found.',
    )
    .argument('<ids...>', 'ids from the first column of `rsvp list --deleted`')
    .option('--json', 'print which ids were restored and not found')
    .addHelpText('after', examples('rsvp restore 12 14', 'rsvp list --deleted | cut -f1 | xargs rsvp restore'))
    .action(
      run('database', async (words, { json }, context) => {
        const ids = parseIds(words)
        const found = new Set(await restoreRsvps({ ids }, context.call))
        const restored = ids.filter((id) => found.has(id))
        const notFound = ids.filter((id) => !found.has(id))
        await report({ restored, notFound }, `Restored ${counted(restored.length, 'response')}.`, json, context)
        if (notFound.length > 0)
          throw notFoundError(`Not found among the deleted: ${notFound.join(', ')}. See \`rsvp list --deleted\`.`)
      }),
    )
}
