import { UserError } from '#db/errors.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { type Context, withCurrentTime } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { hasTerminal, printJson, say } from '../output/output.ts'
import { openProgress } from '../output/progress.ts'
import { confirm } from '../questions/confirm.ts'
import { deletionQuestion, deletionResult, notFoundText } from '../responses/deletion-texts.ts'
import { idsOf } from '../responses/ids.ts'
import { NAMED, namesText } from '../responses/named.ts'
import { responsePages } from '../responses/read-responses.ts'
import { deleteResponses, restoreDeleted, type Written } from '../responses/writes.ts'
import type { Writes } from '../screens/responses/use-writes.ts'

/** Deletes the responses with these ids, or those that are chosen on a screen. */
export async function run(words: string[], options: { yes?: true; json?: true }, context: Context): Promise<void> {
  const ids = idsOf(words)
  const deletion = ids.length === 0 ? await chooseAndDelete(context) : await confirmAndDelete(ids, options.yes, context)
  if (deletion === undefined) return
  const { changed: deleted, notFound, untouched, failure } = deletion
  const reached = deleted.length + notFound.length > 0
  if (options.json) await printJson({ deleted, notFound, untouched }, context.io)
  else if (reached && (!context.quiet || untouched.length > 0)) say(deletionResult(deletion), context.io)
  if (notFound.length > 0) say(notFoundText(deletion), context.io)
  if (failure !== undefined) throw failure
  context.signal.throwIfAborted()
  if (notFound.length > 0) throw new CommandError(exitCodes.notFound, '')
}

async function confirmAndDelete(ids: number[], yes: true | undefined, context: Context): Promise<Written> {
  if (!yes) await confirm(`${deletionQuestion(ids.length)}${await namedIn(ids, context)}`, context, ids.length)
  const progress = openProgress('Deleting', ids.length, context)
  try {
    return await deleteResponses(ids, progress.report, context)
  } finally {
    progress.close()
  }
}

/** The names in these responses, e.g. ` (Ana Cole)`; empty where none of them is found. */
async function namedIn(ids: number[], { call }: Context): Promise<string> {
  const found = await Promise.all(
    ids.slice(0, NAMED).map((id) => getRsvp({ id: String(id) }, call).catch(unlessMissing)),
  )
  const names = found.filter((response) => response !== undefined)
  return names.length === 0 ? '' : ` (${namesText(names, ids.length)})`
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof UserError && error.code === 'not-found')) throw error
}

async function chooseAndDelete(context: Context): Promise<Written | undefined> {
  if (!hasTerminal(context.io)) {
    throw new CommandError(exitCodes.usage, 'Say which responses to delete, e.g. `rsvp delete 12 --yes`.')
  }
  const { showResponses } = await import('../screens/responses/show-responses.tsx')
  const pages = () => responsePages({}, context.call)
  let deletion: Promise<Written> | undefined
  const remove = (...[ids, report]: Parameters<Writes['remove']>) => {
    deletion = deleteResponses(ids, report, withCurrentTime(context))
    return deletion
  }
  const restore: Writes['restore'] = (ids, report) => restoreDeleted(ids, report, withCurrentTime(context))
  await showResponses({ pages, purpose: 'delete', remove, restore }, context)
  // Not the result of the screen: after Ctrl+C it closes before the last write has ended.
  return deletion
}
