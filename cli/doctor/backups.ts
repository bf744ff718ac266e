import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants'
import { drillSentence, findLastSent, getLastDrills } from '#db/backup/copies/history.ts'
import { assertEncrypted } from '#db/backup/copies/open-place.ts'
import { maximumAge } from '#db/backup/due.ts'
import { listBackups, newestOf } from '#db/backup/names.ts'
import { checkBackupFolder, getLastBackup } from '#db/backup/operations.ts'
import type { Config } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { sentencesOf } from '../exit-code.ts'
import { type Finding, fine, warning, wrong } from './finding.ts'

/** The site runs a drill every 30 days, and daily after a failed one. */
const MAXIMUM_DRILL_AGE_MS = 40 * millisecondsInDay

/** When the last good backup was made, and where it is. */
export async function examineBackup(
  { backupFolder, databaseUrl }: Config,
  { call }: Context,
  responses: number,
): Promise<Finding> {
  const name = 'Backup'
  const folderProblem = backupFolder && (await checkBackupFolder(backupFolder))
  if (folderProblem) return wrong(name, folderProblem)
  const last = await getLastBackup({ folder: backupFolder }, call)
  if (last === undefined) {
    if (responses === 0) return fine(name, 'none yet, and no response to save')
    return backupFolder === undefined
      ? wrong(name, 'There is none: set BACKUP_DIR, or let cron run `rsvp backup --out FOLDER` every night.')
      : wrong(
          name,
          `There is none in ${backupFolder}: start the site, which makes one every night, or run \`rsvp backup\`.`,
        )
  }
  const age = call.now.getTime() - new Date(last.at).getTime()
  const made = `the last good one was made ${agoOf(age)}: ${last.file}`
  // A backup of a libSQL server may be on another machine.
  if (fileOf(databaseUrl) !== undefined && !last.present) {
    return wrong(name, `${made}, but it no longer exists: make another.`)
  }
  if (age < 0) {
    const text = `According to the clock, ${last.file} was made in the future: the clock is behind, or was ahead then.`
    return wrong(name, `${text} Correct it (\`date\`), keep the file, and run \`rsvp backup\`.`)
  }
  return age <= maximumAge(backupFolder)
    ? fine(name, made)
    : wrong(name, `${made}. Run \`rsvp backup\`, and see why no newer one was made.`)
}

/** The newest recorded backup if its file exists; or else, e.g. if the database cannot be read, that in the folder. */
export async function findRecordedBackup(config: Config, context: Context): Promise<string | undefined> {
  const last = await getLastBackup({ folder: config.backupFolder }, context.call).catch(() => undefined)
  return last?.present ? last.file : findBackupInFolder(config, context)
}

/** The newest backup in the folder, without reading the database. */
export async function findBackupInFolder({ backupFolder }: Config, { call }: Context): Promise<string | undefined> {
  return newestOf(await listBackups(backupFolder ?? ''), call.now)
}

/**
 * When the last copy was sent, and whether a restore drill has passed. Asks the database, not the other place.
 * @param hasBackup a missing backup is another finding, so then a missing copy is none.
 */
export async function examineCopies(config: Config, context: Context, hasBackup: boolean): Promise<Finding[]> {
  if (config.copies.place === undefined && config.backupFolder === undefined) return []
  const findings = [await examineSent(config, context, hasBackup), await examineDrill(config, context, hasBackup)]
  return findings.filter((finding) => finding !== undefined)
}

/** How long ago, in words; `age` is in ms. */
function agoOf(age: number): string {
  const hours = Math.floor(age / millisecondsInHour)
  if (hours < 1) return 'within the last hour'
  if (hours < 48) return hours === 1 ? 'an hour ago' : `${hours} hours ago`
  return `${Math.floor(hours / 24)} days ago`
}

async function examineSent(config: Config, { call }: Context, hasBackup: boolean): Promise<Finding | undefined> {
  const { copies, backupFolder } = config
  const name = 'Copies'
  if (copies.place === undefined) return undefined
  try {
    assertEncrypted(copies)
  } catch (error) {
    return wrong(name, sentencesOf(error).join(' '))
  }
  const { title } = copies.place
  const at = (await findLastSent(copies))?.at
  if (at === undefined) {
    return hasBackup ? wrong(name, `None has been sent to ${title}: run \`rsvp backup\`.`) : undefined
  }
  const age = call.now.getTime() - new Date(at).getTime()
  const sent = `the last one was sent to ${title} ${agoOf(age)}`
  return age <= maximumAge(backupFolder)
    ? fine(name, sent)
    : wrong(name, `${sent}. Run \`rsvp backup\`, and see why no newer one was sent.`)
}

async function examineDrill({ copies }: Config, { call }: Context, hasBackup: boolean): Promise<Finding | undefined> {
  const name = 'Restore drill'
  const { last, passed } = await getLastDrills()
  if (last !== undefined && !last.passed) return wrong(name, drillSentence(last))
  if (passed !== undefined) {
    const age = call.now.getTime() - new Date(passed.at).getTime()
    const text = `the newest backup was restored beside the database ${agoOf(age)}`
    return age <= MAXIMUM_DRILL_AGE_MS ? fine(name, text) : warning(name, `${text}. Run \`rsvp backup verify\`.`)
  }
  if (!hasBackup) return undefined
  const todo =
    copies.place !== undefined && copies.identityFile === undefined
      ? 'Set BACKUP_COPY_IDENTITY_FILE, or run `rsvp backup verify` on a machine that has the identity.'
      : 'Start the site, which makes one every month, or run `rsvp backup verify`.'
  return warning(name, `It is not known whether a backup can be restored. ${todo}`)
}
