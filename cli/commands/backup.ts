import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { listBackups, momentOfBackup } from '#db/backup/names.ts'
import { createBackup } from '#db/backup/operations.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit-code.ts'
import { counted, printJson, printRows, say } from '../output/output.ts'
import { explainFileError } from '../output/write-file.ts'

type Options = { out?: string; keep?: number; json?: true }

/** Saves the whole database in a new file and removes older files beyond --keep. */
export async function makeBackup({ out, keep, json }: Options, context: Context): Promise<void> {
  const folder = folderOf(out, context)
  await context.openDatabase({ mustExist: true, otherVersion: 'accept' })
  const { file, responses, removed } = await createBackup({ folder, keep }, context.call).catch((error) => {
    throw explainFileError(error, folder)
  })
  if (json) return printJson({ file, responses, removed }, context.io)
  // Cron mails whatever a command prints.
  if (context.quiet || !context.io.stderr.isTTY) return
  say(`Saved ${counted(responses, 'response')} and everything else in ${file}`, context.io)
  if (removed.length > 0) say(`Removed ${counted(removed.length, 'older backup')}.`, context.io)
}

/** Lists the backups of a folder, the newest first. */
export async function listMadeBackups({ out, json }: { out?: string; json?: true }, context: Context): Promise<void> {
  const folder = folderOf(out, context)
  const files = await listBackups(folder)
  const listed = await Promise.all(
    files.map(async (file) => ({ at: momentOfBackup(file).toISOString(), bytes: (await stat(file)).size, file })),
  )
  if (json) return printJson(listed, context.io)
  const rows = listed.map(({ at, bytes, file }) => [at, bytes, file])
  await printRows(rows, context.io)
  if (rows.length === 0 && !context.quiet)
    say(`There is no backup in ${folder}: \`rsvp backup\` makes one.`, context.io)
}

function folderOf(out: string | undefined, { io, readConfig }: Context): string {
  const folder = out === undefined ? readConfig().backupFolder : resolve(io.cwd(), out)
  if (folder === undefined) throw usageError('Say where with --out, or set BACKUP_DIR.')
  return folder
}
