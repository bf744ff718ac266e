import type { Context } from './context.ts'
import { counted } from './counted.ts'
import { CommandError, exitCodes } from './exit-code.ts'
import { idsOf } from './ids.ts'
import { printJson, say } from './output.ts'
import { restoreDeleted } from './response-writes.ts'

/** Brings deleted responses back. */
export async function restoreResponses(words: string[], options: { json?: true }, context: Context): Promise<void> {
  const ids = idsOf(words)
  await context.openDatabase({ mustExist: true })
  const { changed: restored, notFound, failure } = await restoreDeleted(ids, () => {}, context)
  if (options.json) await printJson({ restored, notFound })
  else if (!context.quiet && restored.length > 0) {
    say(`Restored ${counted(restored.length, 'response')}.`)
  }
  if (failure !== undefined) throw failure
  context.signal.throwIfAborted()
  if (notFound.length === 0) return
  const sentence = `Not found among the deleted: ${notFound.join(', ')}. See \`rsvp list --deleted\`.`
  throw new CommandError(exitCodes.notFound, sentence)
}
