import { lstat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { listBackups, momentOfBackup, newestOf } from '#db/backup/names.ts'
import { createBackup } from '#db/backup/operations.ts'
import { doubtSentence } from '#db/clock/clock.ts'
import { fileOf } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import type { Context } from '../../context.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { counted } from '../../output/counted.ts'
import { printJson, say } from '../../output/output.ts'
import { explainFileError } from '../../output/write-file.ts'

type Options = { out?: string; createFolder?: true; keep?: number; ifOlder?: number; copy: boolean; json?: true }

const HOUR_MS = 60 * 60 * 1000

/**
 * Saves the whole database in a new file, and keeps as many of the older files as --keep says. Then sends a copy to the
 * other place, if there is one; what was saved stays, whether or not that works.
 */
export async function run({ out, createFolder, keep, ifOlder, copy, json }: Options, context: Context): Promise<void> {
  const { backupFolder, databaseUrl, copies } = context.readConfig()
  const folder = out === undefined ? backupFolder : resolve(context.io.cwd(), out)
  if (folder === undefined) throw new CommandError(exitCodes.usage, 'Say where with --out, or set BACKUP_DIR.')
  if (out !== undefined && createFolder === undefined) await assertFolder(folder)
  if (ifOlder !== undefined && (await isYoungerThan(ifOlder, folder, context.call.now))) return
  await context.openDatabase({ mustExist: true, otherVersion: 'accept' })
  const { file, responses, removed, doubt } = await createBackup(
    { folder, database: fileOf(databaseUrl), keep },
    context.call,
  ).catch((error) => {
    throw explainFileError(error, folder)
  })
  if (doubt !== undefined && keep !== undefined && !context.quiet) {
    say(`No older backup was removed. ${doubtSentence(doubt)}`, context.io)
  }
  // Cron mails whatever a command prints.
  const silent = json || context.quiet || !context.io.stderr.isTTY
  if (!silent) {
    say(`Saved ${counted(responses, 'response')} and everything else in ${file}`, context.io)
    if (removed.length > 0) say(`Removed ${counted(removed.length, 'older backup')}.`, context.io)
  }
  const saved = { file, responses, removed }
  if (!copy || copies.place === undefined) return json && printJson(saved, context.io)
  try {
    const { sendBackup } = await import('../../database/send-backup.ts')
    const sent = await sendBackup(file, context)
    if (json) await printJson({ ...saved, copy: sent }, context.io)
  } catch (error) {
    if (json) await printJson({ ...saved, copy: null }, context.io)
    throw afterSaving(error, file)
  }
}

/** A folder that is missing may be on a disk that is not mounted: a backup beside it would look like one there. */
async function assertFolder(folder: string): Promise<void> {
  // Not stat: what is wrong with a broken link is said later.
  const isMissing = await lstat(folder).then(
    () => false,
    (error) => error.code === 'ENOENT',
  )
  if (!isMissing) return
  const todo = 'Mount its disk, make it, or add --create-folder.'
  throw new CommandError(exitCodes.failed, `There is no folder ${folder}, so nothing was saved. ${todo}`)
}

/** Says first that the backup itself was made. */
function afterSaving(error: unknown, file: string): unknown {
  if (!(error instanceof UserError)) return error
  const todo = 'Then run `rsvp backup send`.'
  return new UserError(error.code, `${file} was saved, but no copy of it was sent. ${error.message} ${todo}`)
}

/** Whether the newest backup in the folder is not older than so many hours. One from the future counts as old. */
async function isYoungerThan(hours: number, folder: string, now: Date): Promise<boolean> {
  const newest = newestOf(await listBackups(folder), now)
  const age = newest === undefined ? Number.POSITIVE_INFINITY : now.getTime() - momentOfBackup(newest).getTime()
  return age >= 0 && age <= hours * HOUR_MS
}
