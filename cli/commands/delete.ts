import { countRsvpsOf, deleteRsvps, eraseRsvps } from '#db/rsvp/delete.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { countSampleRsvps, deleteSampleRsvps } from '#db/rsvp/sample.ts'
import { ifFound } from '#db/values/errors.ts'
import type { Context, Declare } from '../command.ts'
import { notFoundError, usageError } from '../errors.ts'
import { examples, notEmpty } from '../options.ts'
import { confirm, counted, hasTerminal, report } from '../output.ts'
import { deletionQuestion, MAXIMUM_NAMES, namesText, numberToType } from '../response-texts.ts'
import { parseIds } from '../selection.ts'
import { showOnScreen } from './list.ts'

type Options = { yes?: true; json?: true }

export const declare: Declare = (command, run) => {
  command
    .description(
      'Deletes responses; `rsvp restore` can restore them for 30 days. Asks for confirmation; without a terminal, --yes ' +
        'is required. Without ids it opens the screen of `rsvp list`. --erase permanently erases all responses with an ' +
        'email address, including deleted ones; to give the person a copy first, use `rsvp export --email`. Exits with 3 ' +
        'if a response was not found.',
    )
    .argument('[ids...]', 'ids from the first column of `rsvp list`')
    .option('--erase <address>', 'permanently erase all responses with this email address', notEmpty)
    .option('--samples', 'permanently delete all samples, and nothing else')
    .option('--yes', 'do not ask')
    .option('--json', 'print which ids were deleted and not found')
    .addHelpText(
      'after',
      examples(
        'rsvp delete 12 14',
        'rsvp list --search "spam" | cut -f1 | xargs --no-run-if-empty rsvp delete --yes',
        'rsvp delete --erase ana@example.org',
      ),
    )
    .action(
      run('database', async (words, options, context) => {
        const ids = parseIds(words)
        const { erase: email, samples } = options
        if ([ids.length > 0, email !== undefined, samples].filter(Boolean).length > 1)
          throw usageError('Give ids, or --erase, or --samples: one of them.')
        if (email !== undefined) return erase(email, options, context)
        if (samples) return removeSamples(options, context)
        if (ids.length > 0) return remove(ids, options, context)
        if (hasTerminal(context.io)) return showOnScreen({}, context)
        throw usageError('Say which responses to delete, e.g. `rsvp delete 12 --yes`.')
      }),
    )
}

async function remove(ids: number[], { yes, json }: Options, context: Context): Promise<void> {
  const question = `${deletionQuestion(ids.length)}${await namesOf(ids)}`
  if (!yes) await confirm(question, context, numberToType(ids.length))
  const found = new Set(await deleteRsvps({ ids }, context.call))
  const deleted = ids.filter((id) => found.has(id))
  const notFound = ids.filter((id) => !found.has(id))
  await report({ deleted, notFound }, `Deleted ${counted(deleted.length, 'response')}.`, json, context)
  if (notFound.length > 0) throw notFoundError(`Not found: ${notFound.join(', ')}. They may have been deleted already.`)
}

/** The end of the question, e.g. ` (Ana Cole)`; empty if none of the responses is found. */
async function namesOf(ids: number[]): Promise<string> {
  const found = await Promise.all(ids.slice(0, MAXIMUM_NAMES).map((id) => ifFound(getRsvp({ id: String(id) }))))
  const names = found.filter((response) => response !== undefined)
  return names.length === 0 ? '' : ` (${namesText(names, ids.length)})`
}

async function erase(email: string, { yes, json }: Options, context: Context): Promise<void> {
  const { call } = context
  const count = await countRsvpsOf({ email })
  if (count === 0) throw notFoundError('Nothing is stored under that address.')
  const question = `Erase ${counted(count, 'response')} of ${email} for good? Only older backups hold them then.`
  if (!yes) await confirm(question, context, count)
  const erased = await eraseRsvps({ email }, call)
  const sentence = `Erased ${counted(erased, 'response')} for good. Older backups may still hold them.`
  await report({ erased }, sentence, json, context)
}

async function removeSamples({ yes, json }: Options, context: Context): Promise<void> {
  const { call } = context
  const samples = await countSampleRsvps()
  if (samples > 0 && !yes) await confirm(`Delete ${counted(samples, 'sample response')} for good?`, context)
  const removed = await deleteSampleRsvps(call)
  await report({ removed }, `Removed ${removed} sample responses.`, json, context)
}
