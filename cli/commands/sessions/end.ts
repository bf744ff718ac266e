import { endSessions } from '#db/access/operations.ts'
import type { Context } from '../../context.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { counted } from '../../output/counted.ts'
import { printJson, say } from '../../output/output.ts'
import { idsOf } from '../../responses/ids.ts'

/** Signs out some sessions, or all of them. */
export async function run(words: string[], options: { all?: true; json?: true }, context: Context): Promise<void> {
  const ids = idsOf(words)
  if ((ids.length === 0) === (options.all === undefined)) {
    throw new CommandError(exitCodes.usage, 'Say which sessions to end, e.g. `rsvp sessions end 3`, or --all.')
  }
  const ended = await endSessions(options.all ? 'all' : ids, context.call)
  if (options.json) await printJson({ ended }, context.io)
  else if (!context.quiet) say(`Ended ${counted(ended.length, 'session')}.`, context.io)
  const missing = ids.filter((id) => !ended.includes(id))
  if (missing.length > 0) throw new CommandError(exitCodes.notFound, `Not found: ${missing.join(', ')}.`)
}
