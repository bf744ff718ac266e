import { access, constants, type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { desc, inArray } from 'drizzle-orm'
import { recordAct } from '#db/audit.ts'
import type { Call } from '#db/call.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { readVersion } from '#db/migrate.ts'
import { db, openedDatabase } from '#db/storage/client.ts'
import type { Connection } from '#db/storage/connection.ts'
import { removeAbandoned, syncFolder, withTemporaryFile } from '#db/storage/files.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { openLocal } from '#db/storage/local.ts'
import { auditEntries } from '#db/tables/access.ts'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import { backupName, copyPathFor, listBackups, momentOfBackup, newestOf } from './names.ts'
import { findTroubleHere } from './trouble.ts'

/** `removed` lists the older backups that were removed. */
export type Backup = { file: string; responses: number; removed: string[] }

/** `at` is ISO 8601 in UTC; `present` is whether the file still exists. */
type LastBackup = { at: string; file: string; present: boolean }

/**
 * Saves everything in a new file, which appears complete, verified and synced, or not at all. Then removes older backups,
 * unless no response was ever stored in this database: it may have replaced a lost one.
 * @param request an existing folder, and how many backups to keep in it; without `keep`, all.
 * @throws UserError 'damaged' for a damaged database, 'configuration' if the backup could not be restored, 'full' if the
 * disk is full. All older backups then stay.
 */
export async function createBackup({ folder, keep }: { folder: string; keep?: number }, call: Call): Promise<Backup> {
  const problem = await checkBackupFolder(folder)
  if (problem !== undefined) throw new UserError('unavailable', problem)
  const file = join(folder, backupName(call.now))
  const responses = await writeCopy(openedDatabase(), file)
  // A database of another version is saved as it is, and its audit is not written.
  if ((await readVersion(openedDatabase())) === 'this') {
    const trouble = await findTroubleHere('The database')
    if (trouble !== undefined) {
      await rm(file)
      const todo = 'Its backup could not be restored, so none was kept. Change it back.'
      throw new UserError(trouble.code, `${trouble.sentence} ${todo}`)
    }
    await recordAct({ action: 'backup made', subject: file }, call)
  }
  const removed = await removeOlder(file, (await hasEverStored()) ? keep : undefined)
  return { file, responses, removed }
}

/**
 * Copies everything into a file that is deleted but still open, so that nothing stays on the disk even after a crash.
 * @param url of the database, beside which the copy is made.
 * @throws UserError as `createBackup` does.
 */
export async function openCopy(url: string): Promise<FileHandle> {
  return withTemporaryFile(await copyPathFor(url), async (temporary) => {
    await writeCopy(openedDatabase(), temporary)
    return open(temporary)
  })
}

/**
 * The newest backup in the folder or in that of the last recorded one, otherwise the last recorded one; undefined if there
 * is none. A restored database has no record of later backups, but they are in the folder from which it was restored.
 */
export async function getLastBackup(
  { folder }: { folder?: string | undefined },
  { now }: Call,
): Promise<LastBackup | undefined> {
  const [recorded] = await db
    .select({ at: auditEntries.at, subject: auditEntries.subject, action: auditEntries.action })
    .from(auditEntries)
    .where(inArray(auditEntries.action, ['backup made', 'backup restored']))
    .orderBy(desc(auditEntries.id))
    .limit(1)
  const folders = [folder, recorded && dirname(recorded.subject)].filter((each) => each !== undefined)
  const newest = newestOf((await Promise.all(folders.map(listBackups))).flat(), now)
  if (newest !== undefined) return { at: momentOfBackup(newest).toISOString(), file: newest, present: true }
  return recorded?.action === 'backup made' ? { at: recorded.at, file: recorded.subject, present: false } : undefined
}

/** @returns the problem with the folder, as a sentence; undefined if there is none. */
export async function checkBackupFolder(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory())
      return `${folder} is a file, not a folder: choose another folder for backups.`
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = errorCodeOf(error)
    return code === 'ENOENT'
      ? missingFolder(folder)
      : `This account may not write backups into ${folder} (${code}): grant it access, or choose another folder.`
  }
}

/** The folder is not created: if its disk is not mounted, the backup would be written to another disk unnoticed. */
export function missingFolder(folder: string): string {
  return `There is no folder ${folder} for backups: mount its disk, or create it.`
}

/**
 * Writes a consistent snapshot into a new file, which appears complete, verified and synced, or not at all.
 * @returns how many responses are in it.
 * @throws UserError 'damaged' for a damaged database, 'unavailable' for a damaged copy, 'full' if the disk is full.
 */
export async function writeCopy(source: Connection, file: string): Promise<number> {
  const [damage] = await checkIntegrity(source)
  if (damage !== undefined) {
    const todo = `Stop the site and restore a backup: ${rsvpCommand} backup restore FILE`
    throw new UserError('damaged', `The database is damaged (${damage}), so no copy of it was made. ${todo}`)
  }
  return withTemporaryFile(file, async (temporary) => {
    await source.copyTo(temporary).catch((error) => {
      // The copy may be on another disk than the database.
      const full = `The disk of ${dirname(file)} is full, so nothing was saved. Make room there, then try again.`
      throw error instanceof UserError && error.code === 'full' ? new UserError('full', full) : error
    })
    const responses = await verifyCopy(temporary)
    await rename(temporary, file)
    await syncFolder(dirname(file))
    return responses
  })
}

async function verifyCopy(file: string): Promise<number> {
  const copy = await openLocal(file, { mustExist: true })
  try {
    const [damage] = await checkIntegrity(copy)
    if (damage === undefined) return await countResponses(copy)
    const todo = `the database is not: check the disk of ${dirname(file)}.`
    throw new UserError('unavailable', `The copy is damaged (${damage}), ${todo}`)
  } finally {
    await copy.close()
  }
}

export async function countResponses({ read }: Connection): Promise<number> {
  const { rows } = await read({ sql: 'SELECT count(*) FROM rsvps WHERE deleted_at IS NULL', args: [] })
  return Number(rows[0]?.[0])
}

/** SQLite keeps the highest id ever used in a table, even after its row is deleted. */
async function hasEverStored(): Promise<boolean> {
  const sql = "SELECT 1 FROM sqlite_sequence WHERE name = 'rsvps'"
  return (await openedDatabase().read({ sql, args: [] })).rows.length > 0
}

/** Keeps the new backup, even if the names of others are from the future. */
async function removeOlder(made: string, keep: number | undefined): Promise<string[]> {
  const folder = dirname(made)
  const upToNow = (await listBackups(folder)).filter((file) => file <= made)
  const removed = keep === undefined ? [] : upToNow.slice(keep)
  for (const file of removed) await rm(file, { force: true })
  await removeAbandoned(folder)
  return removed
}
