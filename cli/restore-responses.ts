import { restoreRsvps } from '#db/rsvp/deletion.ts'
import { DELETED_TOGETHER_MAXIMUM } from '#db/rsvp/schema.ts'
import type { Context } from './context.ts'
import { counted } from './counted.ts'
import { CommandError, exitCodes } from './exit-code.ts'
import { idsOf } from './ids.ts'
import { printJson, say } from './output.ts'

/** Brings deleted responses back. */
export async function restoreResponses(words: string[], options: { json?: true }, context: Context): Promise<void> {
  const ids = idsOf(words)
  await context.openDatabase({ mustExist: true })
  const restored: number[] = []
  for (let start = 0; start < ids.length && !context.signal.aborted; start += DELETED_TOGETHER_MAXIMUM) {
    const some = ids.slice(start, start + DELETED_TOGETHER_MAXIMUM)
    restored.push(...(await restoreRsvps({ ids: some }, context.call)))
  }
  const notFound = ids.filter((id) => !restored.includes(id))
  if (options.json) await printJson({ restored, notFound })
  else if (!context.quiet && restored.length > 0) {
    say(`Restored ${counted(restored.length, 'response')}.`)
  }
  context.signal.throwIfAborted()
  if (notFound.length === 0) return
  const sentence = `Not found among the deleted: ${notFound.join(', ')}. See \`rsvp list --deleted\`.`
  throw new CommandError(exitCodes.notFound, sentence)
}
