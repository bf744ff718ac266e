import { maximumAge } from '#db/backup/due.ts'
import { listBackups, newestOf } from '#db/backup/names.ts'
import { checkBackupFolder, getLastBackup } from '#db/backup/operations.ts'
import type { Config } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { agoOf } from './ago.ts'
import type { Finding } from './finding.ts'

/** When the last good backup was made, and where it is. */
export async function examineBackup(
  { backupFolder, databaseUrl }: Config,
  { call }: Context,
  responses: number,
): Promise<Finding> {
  const name = 'Backup'
  const folderProblem = backupFolder && (await checkBackupFolder(backupFolder))
  if (folderProblem) return { name, ok: false, text: folderProblem }
  const last = await getLastBackup({ folder: backupFolder }, call)
  if (last === undefined) {
    if (responses === 0) return { name, ok: true, text: 'none yet, and no response to save' }
    return { name, ok: false, text: missing(backupFolder) }
  }
  const age = call.now.getTime() - new Date(last.at).getTime()
  const made = `the last good one was made ${agoOf(age)}: ${last.file}`
  // A backup of a libSQL server may lie on another machine.
  if (fileOf(databaseUrl) !== undefined && !last.present)
    return { name, ok: false, text: `${made}, but it is not there any more: make another.` }
  if (age < 0) {
    const text = `By the clock ${last.file} was made in the future: the clock is behind, or was ahead then.`
    return { name, ok: false, text: `${text} Set it right (\`date\`), keep the file, and run \`rsvp backup\`.` }
  }
  if (age <= maximumAge(backupFolder)) return { name, ok: true, text: made }
  return { name, ok: false, text: `${made}. Run \`rsvp backup\`, and see why no newer one was made.` }
}

/** The newest backup on record, if its file exists, or else, as where the database cannot be read, in the folder. */
export async function findRecordedBackup(config: Config, context: Context): Promise<string | undefined> {
  const last = await getLastBackup({ folder: config.backupFolder }, context.call).catch(() => undefined)
  return last?.present ? last.file : findBackupInFolder(config, context)
}

/** The newest backup in the folder, for when nothing is read from the database. */
export async function findBackupInFolder({ backupFolder }: Config, { call }: Context): Promise<string | undefined> {
  return newestOf(await listBackups(backupFolder ?? ''), call.now)
}

function missing(backupFolder: string | undefined): string {
  return backupFolder === undefined
    ? 'There is none: set BACKUP_DIR, or let cron run `rsvp backup --out FOLDER` every night.'
    : `There is none in ${backupFolder}: start the site, which makes one every night, or run \`rsvp backup\`.`
}
