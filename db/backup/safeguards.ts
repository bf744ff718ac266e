import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileOf } from '#db/config/database-url.ts'
import { rsvpCommand } from '#db/config/project-root.ts'
import { findSite } from '#db/config/site-folder.ts'
import { UserError } from '#db/errors.ts'
import { quoteForShell } from '#db/process/shell.ts'
import { removeAbandoned } from '#db/process/unfinished.ts'
import type { Connection } from '#db/storage/connection.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { realPathOf } from '#db/storage/local-file.ts'
import { keptCopyName, listBackups } from './names.ts'

/**
 * Checks the integrity of a file before a site serves from it.
 * @throws UserError 'configuration' with the command that restores a backup, when it is damaged.
 */
export async function assertUndamaged(connection: Connection, url: string, backupFolder = ''): Promise<void> {
  const file = fileOf(url)
  if (file === undefined) return
  const [damage] = await checkIntegrity(connection)
  if (damage !== undefined) throw await damagedError(file, damage, backupFolder)
}

/**
 * Refuses a file without a byte, which SQLite would take for a new database and fill.
 * @throws UserError 'configuration' with the command that restores a backup.
 */
export async function assertNotEmpty(file: string, backupFolder = ''): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() && found.size === 0) throw await damagedError(file, 'it is empty', backupFolder)
}

async function damagedError(file: string, damage: string, backupFolder: string): Promise<UserError> {
  const [newest] = await listBackups(backupFolder)
  const todo = `Restore a backup: ${rsvpCommand} backup restore ${newest === undefined ? 'FILE' : quoteForShell(newest)}`
  return new UserError('configuration', `The database at ${file} is damaged (${damage}); nothing was changed. ${todo}`)
}

/** Keeps a copy of the database before a migration, and returns its path. */
export async function keepCopy(connection: Connection, url: string): Promise<string> {
  // Loaded on demand: it imports the driver for files, which a libSQL server does not need.
  const { writeCopy } = await import('./copy.ts')
  const file = keptCopyName(await copyPathFor(url), 'update', new Date())
  try {
    await writeCopy(connection, file)
    return file
  } catch (error) {
    if (error instanceof UserError || !(error instanceof Error && 'code' in error)) throw error
    const why = `The update has to keep a copy before it changes the tables, and ${dirname(file)} cannot be written`
    throw new UserError('configuration', `${why} (${error.code}). Make it writable.`)
  }
}

/** Removes copies left behind by interrupted processes. */
export async function removeAbandonedCopies(url: string): Promise<void> {
  await removeAbandoned(dirname(await copyPathFor(url)))
}

/** Copies of a file go beside it, not beside a link to it; those of a server into the data folder. */
export function copyPathFor(url: string): Promise<string> {
  return realPathOf(fileOf(url) ?? join(findSite().folder, 'data', 'rsvp.db'))
}
