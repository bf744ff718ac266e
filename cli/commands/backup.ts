import { resolve } from 'node:path'
import { createBackup } from '#db/backup/operations.ts'
import { doubtSentence } from '#db/clock/clock.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit-code.ts'
import { counted, printJson, say } from '../output/output.ts'
import { explainFileError } from '../output/write-file.ts'

type Options = { out?: string; keep?: number; json?: true }

/** Saves the whole database in a new file and removes older files beyond --keep. */
export async function makeBackup({ out, keep, json }: Options, context: Context): Promise<void> {
  const folder = out === undefined ? context.readConfig().backupFolder : resolve(context.io.cwd(), out)
  if (folder === undefined) throw usageError('Say where with --out, or set BACKUP_DIR.')
  await context.openDatabase({ mustExist: true, otherVersion: 'accept' })
  const { file, responses, removed, doubt } = await createBackup({ folder, keep }, context.call).catch((error) => {
    throw explainFileError(error, folder)
  })
  if (doubt !== undefined && keep !== undefined && !context.quiet) {
    say(`No older backup was removed. ${doubtSentence(doubt)}`, context.io)
  }
  if (json) return printJson({ file, responses, removed }, context.io)
  // Cron mails whatever a command prints.
  if (context.quiet || !context.io.stderr.isTTY) return
  say(`Saved ${counted(responses, 'response')} and everything else in ${file}`, context.io)
  if (removed.length > 0) say(`Removed ${counted(removed.length, 'older backup')}.`, context.io)
}
