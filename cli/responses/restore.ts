import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { printJson, say } from '../output/output.ts'
import { restoredResult } from './deletion-texts.ts'
import { idsOf } from './ids.ts'
import { restoreDeleted } from './writes.ts'

/** Restores deleted responses by their ids. */
export async function restoreResponses(words: string[], options: { json?: true }, context: Context): Promise<void> {
  const ids = idsOf(words)
  await context.openDatabase({ mustExist: true })
  const restoration = await restoreDeleted(ids, () => {}, context)
  const { changed: restored, notFound, untouched, failure } = restoration
  const reached = restored.length + notFound.length > 0
  const isWorthSaying = untouched.length > 0 ? reached : restored.length > 0 && !context.quiet
  if (options.json) await printJson({ restored, notFound, untouched }, context.io)
  else if (isWorthSaying) say(restoredResult(restoration), context.io)
  if (notFound.length > 0)
    say(`Not found among the deleted: ${notFound.join(', ')}. See \`rsvp list --deleted\`.`, context.io)
  if (failure !== undefined) throw failure
  context.signal.throwIfAborted()
  if (notFound.length > 0) throw new CommandError(exitCodes.notFound, '')
}
