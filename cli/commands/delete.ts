import { ifFound } from '#db/errors.ts'
import { countRsvpsOf, eraseRsvps } from '#db/rsvp/delete.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { countSampleRsvps, deleteSampleRsvps } from '#db/rsvp/sample.ts'
import type { Context } from '../context.ts'
import { notFoundError, usageError } from '../exit-code.ts'
import { idsOf } from '../given.ts'
import { counted, hasTerminal, printJson, say } from '../output/output.ts'
import { confirm } from '../questions.ts'
import {
  deleteResponses,
  deletionQuestion,
  NAMED,
  namesText,
  notFoundText,
  restoreDeleted,
  type Written,
  writtenText,
} from '../responses/deletion.ts'
import { responsePages } from '../responses/read-responses.ts'

type Options = { erase?: string; samples?: true; yes?: true; json?: true }

/** Deletes the responses with these ids or chosen on a screen; or permanently all of an address, or all samples. */
export async function remove(words: string[], options: Options, context: Context): Promise<void> {
  const ids = idsOf(words)
  const { erase: email, samples } = options
  if ([ids.length > 0, email !== undefined, samples].filter(Boolean).length > 1) {
    throw usageError('Give ids, or --erase, or --samples: one of them.')
  }
  if (email !== undefined) return erase(email, options, context)
  if (samples) return removeSamples(options, context)
  const deletion = ids.length === 0 ? await chooseAndDelete(context) : await confirmAndDelete(ids, options.yes, context)
  if (deletion === undefined) return
  const { changed: deleted, notFound, untouched } = deletion
  const reached = deleted.length + notFound.length > 0
  if (options.json) await printJson({ deleted, notFound, untouched }, context.io)
  else if (reached && (!context.quiet || untouched.length > 0)) say(writtenText('Deleted', deletion), context.io)
  endWith(deletion, notFoundText(deletion), context)
}

export async function restore(words: string[], options: { json?: true }, context: Context): Promise<void> {
  const restoration = await restoreDeleted(idsOf(words), () => {}, context)
  const { changed: restored, notFound, untouched } = restoration
  const reached = restored.length + notFound.length > 0
  const isWorthSaying = untouched.length > 0 ? reached : restored.length > 0 && !context.quiet
  if (options.json) await printJson({ restored, notFound, untouched }, context.io)
  else if (isWorthSaying) say(writtenText('Restored', restoration), context.io)
  const missing = `Not found among the deleted: ${notFound.join(', ')}. See \`rsvp list --deleted\`.`
  endWith(restoration, missing, context)
}

/** Reports ids that were not found; but a failure or an interruption decides the exit code before them. */
function endWith({ notFound, failure }: Written, missing: string, { io, signal }: Context): void {
  if (notFound.length > 0) say(missing, io)
  if (failure !== undefined) throw failure
  signal.throwIfAborted()
  if (notFound.length > 0) throw notFoundError('')
}

async function confirmAndDelete(ids: number[], yes: true | undefined, context: Context): Promise<Written> {
  if (!yes) await confirm(`${deletionQuestion(ids.length)}${await namedIn(ids, context)}`, context, ids.length)
  return deleteResponses(ids, () => {}, context)
}

/** E.g. ` (Ana Cole)`; empty if none of the responses is found. */
async function namedIn(ids: number[], { call }: Context): Promise<string> {
  const found = await Promise.all(ids.slice(0, NAMED).map((id) => ifFound(getRsvp({ id: String(id) }, call))))
  const names = found.filter((response) => response !== undefined)
  return names.length === 0 ? '' : ` (${namesText(names, ids.length)})`
}

async function chooseAndDelete(context: Context): Promise<Written | undefined> {
  if (!hasTerminal(context.io)) {
    throw usageError('Say which responses to delete, e.g. `rsvp delete 12 --yes`.')
  }
  const { showResponses } = await import('../screens/responses/ResponsesScreen.tsx')
  return showResponses({ pages: () => responsePages({}, context.call), purpose: 'delete' }, context)
}

async function erase(email: string, { yes, json }: Options, context: Context): Promise<void> {
  const count = await countRsvpsOf({ email }, context.call)
  if (count === 0) throw notFoundError('Nothing is stored under that address.')
  const responses = counted(count, 'response')
  const question = `Erase ${responses} of ${email} for good? Only older backups hold them then.`
  if (!yes) await confirm(question, context, count)
  const erased = await eraseRsvps({ email }, context.call)
  if (json) return printJson({ erased }, context.io)
  if (!context.quiet)
    say(`Erased ${counted(erased, 'response')} for good. Older backups may still hold them.`, context.io)
}

async function removeSamples({ yes, json }: Options, context: Context): Promise<void> {
  const { call, quiet, io } = context
  const samples = await countSampleRsvps(call)
  if (samples > 0 && !yes) await confirm(`Delete ${counted(samples, 'sample response')} for good?`, context)
  const removed = await deleteSampleRsvps(call)
  if (json) await printJson({ removed }, io)
  else if (!quiet) say(`Removed ${removed} sample responses.`, io)
}
