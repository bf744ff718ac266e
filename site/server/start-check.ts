import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { listBackups, newestOf } from '#db/backup/names.ts'
import { prepareBackupFolder } from '#db/backup/operations.ts'
import { type Config, envFileToRead, findMisreadSettings } from '#db/config/config.ts'
import { fileOf, quoteForShell, rsvpCommand } from '#db/config/places.ts'
import { isOutage } from '#db/errors.ts'
import { checkHealth } from '#db/health/operations.ts'
import type { Call } from '#db/operation.ts'

/** A network disk that is gone blocks every access until it is back; the site starts without it. */
const FOLDER_TIMEOUT_MS = 5000

/**
 * Finds problems that do not keep the site from starting. Each is a sentence that says what to do.
 * @param isFirst no database existed before this start.
 */
export async function findTrouble(
  { databaseUrl, backupFolder }: Config,
  isFirst: boolean,
  call: Call,
): Promise<string[]> {
  return [
    ...findMisreadSettings(envFileToRead()),
    ...(await troubleWriting(call)),
    ...(await troubleHiding(fileOf(databaseUrl))),
    ...(backupFolder === undefined ? [] : await troubleWithBackups(backupFolder, isFirst)),
  ]
}

async function troubleWriting(call: Call): Promise<string[]> {
  try {
    await checkHealth(call)
    return []
  } catch (error) {
    if (!isOutage(error)) throw error
    return [`Nothing can be stored: ${error.message}`]
  }
}

/** The site restricts a file of its own to itself; a file that is still readable belongs to another account. */
async function troubleHiding(file: string | undefined): Promise<string[]> {
  if (file === undefined || process.platform === 'win32') return []
  const { mode } = await stat(file)
  if ((mode & 0o077) === 0) return []
  return [
    `Other accounts can read the database, which belongs to another account. As that one run: chmod 600 '${file}'`,
  ]
}

async function troubleWithBackups(folder: string, isFirst: boolean): Promise<string[]> {
  const unresponsive = `There will be no backups. ${folder} does not answer: look at its disk, or name another.`
  return Promise.race([troubleIn(folder, isFirst), delay(FOLDER_TIMEOUT_MS, [unresponsive], { ref: false })])
}

async function troubleIn(folder: string, isFirst: boolean): Promise<string[]> {
  const trouble = await prepareBackupFolder(folder)
  if (trouble !== undefined) return [`There will be no backups. ${trouble}`]
  // Otherwise backups of the empty database would in time replace those of the lost one unnoticed.
  const last = isFirst ? newestOf(await listBackups(folder), new Date()) : undefined
  if (last === undefined) return []
  const todo = `If that was lost, stop the site and run: ${rsvpCommand} backup restore ${quoteForShell(last)}`
  return [`The database is new and empty, and there are backups of another. ${todo}`]
}
