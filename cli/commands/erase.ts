import { countRsvpsOf, eraseRsvps } from '#db/rsvp/delete.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { counted } from '../output/counted.ts'
import { printJson, say } from '../output/output.ts'
import { confirm } from '../questions/confirm.ts'

/** Erases everything that was sent with an email address, for good. */
export async function run(options: { email: string; yes?: true; json?: true }, context: Context): Promise<void> {
  const { email } = options
  const count = await countRsvpsOf({ email }, context.call)
  if (count === 0) throw new CommandError(exitCodes.notFound, 'Nothing is stored under that address.')
  const responses = counted(count, 'response')
  const question = `Erase ${responses} of ${email} for good? Only older backups hold them then.`
  if (!options.yes) await confirm(question, context, count)
  const erased = await eraseRsvps({ email }, context.call)
  if (options.json) return printJson({ erased }, context.io)
  if (!context.quiet)
    say(`Erased ${counted(erased, 'response')} for good. Older backups may still hold them.`, context.io)
}
