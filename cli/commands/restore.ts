import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'

type Options = { yes?: true; force?: boolean; unproved?: true; json?: true }

/** Brings back deleted responses, named by their ids, or the whole database, named by the file of a backup. */
export async function run(words: string[], options: Options, context: Context): Promise<void> {
  const [first = '', ...others] = words
  if (/^-?\d+$/.test(first)) {
    const { restoreResponses } = await import('../responses/restore.ts')
    return restoreResponses(words, options, context)
  }
  if (others.length > 0) throw new CommandError(exitCodes.usage, 'Give ids, or the file of one backup.')
  const { restoreFile } = await import('../database/restore-file.ts')
  return restoreFile(first, options, context)
}
