import { resolve } from 'node:path'
import { createBackup } from '#db/backup/operations.ts'
import { doubtSentence } from '#db/clock/doubt.ts'
import { fileOf } from '#db/config/database-url.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { counted } from '../output/counted.ts'
import { printJson, say } from '../output/output.ts'
import { explainFileError } from '../output/write-file.ts'

type Options = { out?: string; keep?: number; json?: true }

/** Saves the whole database in a new file, and keeps as many of the older files as --keep says. */
export async function run({ out, keep, json }: Options, context: Context): Promise<void> {
  const { backupFolder, databaseUrl } = context.readConfig()
  const folder = out === undefined ? backupFolder : resolve(context.io.cwd(), out)
  if (folder === undefined) throw new CommandError(exitCodes.usage, 'Say where with --out, or set BACKUP_DIR.')
  await context.openDatabase({ mustExist: true, otherVersion: 'accept' })
  try {
    const { file, responses, removed, doubt } = await createBackup(
      { folder, database: fileOf(databaseUrl), keep },
      context.call,
    )
    if (doubt !== undefined && keep !== undefined && !context.quiet) {
      say(`No older backup was removed. ${doubtSentence(doubt)}`, context.io)
    }
    if (json) return await printJson({ file, responses, removed }, context.io)
    // Cron mails whatever a command prints.
    if (context.quiet || !context.io.stderr.isTTY) return
    say(`Saved ${counted(responses, 'response')} and everything else in ${file}`, context.io)
    if (removed.length > 0) say(`Removed ${counted(removed.length, 'older backup')}.`, context.io)
  } catch (error) {
    throw explainFileError(error, folder)
  }
}
