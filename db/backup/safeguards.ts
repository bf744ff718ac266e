import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { millisecondsInDay } from 'date-fns/constants'
import { quoteForShell, rsvpCommand } from '#db/config/places.ts'
import { openedDatabase } from '#db/storage/client.ts'
import type { Connection } from '#db/storage/connection.ts'
import { removeAbandoned } from '#db/storage/files.ts'
import { UserError } from '#db/values/errors.ts'
import { copyPathFor, keptCopyName, listBackups, listPrePurgeCopies, momentOfBackup, newestOf } from './names.ts'

// create.ts is loaded on demand: it imports the driver for files, which a libSQL server does not need.

/** How long pre-purge copies are kept: as long as 14 nightly backups, and no longer, because they hold purged responses. */
const COPY_TTL_MS = 14 * millisecondsInDay

/** Refuses an empty file, which SQLite would treat as a new database. */
export async function assertNotEmpty(file: string, backupFolder = ''): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size > 0) return
  const todo = `Nothing was changed. Restore a backup: ${await restoreCommand(backupFolder)}`
  throw new UserError('configuration', `${file} is damaged (it is empty). ${todo}`)
}

/** Keeps a copy of the database before a migration, and returns its path. */
export async function keepCopy(connection: Connection, url: string): Promise<string> {
  const { writeCopy } = await import('./create.ts')
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

export async function removeAbandonedCopies(url: string): Promise<void> {
  await removeAbandoned(dirname(await copyPathFor(url)))
}

/** Whether a backup of the last 24 hours contains everything that a purge would remove now. */
export async function hasRecentBackup(folder: string, now: Date): Promise<boolean> {
  return (await listBackups(folder)).some((file) => isRecent(file, now))
}

/**
 * Keeps a copy beside the database of a site without backups, unless one was made in the last 24 hours. Older copies stay
 * until they expire, because only they contain what earlier purges removed.
 */
export async function keepPrePurgeCopy(url: string, now: Date): Promise<void> {
  const place = await copyPathFor(url)
  if ((await listPrePurgeCopies(place)).some((file) => isRecent(file, now))) return
  const { writeCopy } = await import('./create.ts')
  await writeCopy(openedDatabase(), keptCopyName(place, 'purge', now))
}

/** Removes expired copies. Call it only while the clock can be trusted. */
export async function removeOldPrePurgeCopies(url: string, now: Date): Promise<void> {
  for (const file of await listPrePurgeCopies(await copyPathFor(url)))
    if (now.getTime() - momentOfBackup(file).getTime() > COPY_TTL_MS) await rm(file, { force: true })
}

/** The command that restores the newest backup in a folder. */
export async function restoreCommand(backupFolder = ''): Promise<string> {
  const newest = newestOf(await listBackups(backupFolder), new Date())
  return `${rsvpCommand} backup restore ${newest === undefined ? 'FILE' : quoteForShell(newest)}`
}

function isRecent(file: string, now: Date): boolean {
  const moment = momentOfBackup(file)
  return moment <= now && now.getTime() - moment.getTime() < millisecondsInDay
}
