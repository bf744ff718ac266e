import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { desc, inArray } from 'drizzle-orm'
import { recordAct } from '#db/audit/operations.ts'
import { auditEntries } from '#db/audit/table.ts'
import type { Doubt } from '#db/clock/doubt.ts'
import { findDoubt } from '#db/clock/operations.ts'
import { UserError } from '#db/errors.ts'
import { acceptAnyVersion } from '#db/migrate.ts'
import { operation } from '#db/operation.ts'
import { quotedForShell } from '#db/shell.ts'
import { db, openedDatabase } from '#db/storage/client.ts'
import { damageIn } from '#db/storage/integrity.ts'
import { removeAbandoned } from '#db/unfinished.ts'
import { type Holdings, writeCopy } from './copy.ts'
import { troubleWithFolder } from './folder.ts'
import { backupName, listBackups, momentOf, newestOf } from './names.ts'
import { backupRequest, lastBackupRequest } from './schema.ts'

/** A backup that was made. `removed` are the older ones that had to go for it; none while the time is doubtful. */
export type Backup = Holdings & { file: string; removed: string[]; doubt: Doubt | undefined }

/** When the last good backup was made, ISO 8601 in UTC, and whether it is still where it was put. */
export type LastBackup = { at: string; file: string; present: boolean }

/**
 * Saves everything in a new file: whole, examined and on the disk, or not at all. Older backups go only then, and not
 * while the time is doubtful: which ones are older nobody knows. A database of another version is saved as it is.
 * @throws UserError 'damaged' when the database is; then every older backup stays. 'full' when the disk is.
 */
export const createBackup = operation(backupRequest, async ({ folder, database, keep }, call): Promise<Backup> => {
  const trouble = await troubleWithFolder(folder, database)
  if (trouble !== undefined) throw new UserError('unavailable', trouble)
  const file = join(folder, backupName(call.now))
  const holdings = await writeCopy(openedDatabase(), file)
  // What is damaged where nothing is stored is not in the copy.
  const [damage] = await damageIn(openedDatabase())
  if (damage !== undefined) {
    throw new UserError(
      'damaged',
      `The database is damaged (${damage}), but all of it could be saved. Stop the site and bring it back: rsvp restore ${quotedForShell(file)}`,
    )
  }
  // Tables of another version are saved, and left as they are.
  const isThisVersion = (await acceptAnyVersion(openedDatabase())) === 'this'
  if (isThisVersion) await recordAct({ action: 'backup made', subject: file }, call)
  const doubt = isThisVersion ? await findDoubt(undefined, call) : undefined
  return { file, ...holdings, doubt, removed: await removeOlder(file, doubt === undefined ? keep : undefined) }
})

/**
 * The last backup that is known, from whatever machine; undefined when there never was one. A database that was brought
 * back knows nothing of those made since: they lie where it came from. One from the future only where there is no other.
 */
export const getLastBackup = operation(
  lastBackupRequest,
  async ({ folder }, { now }): Promise<LastBackup | undefined> => {
    const [noted] = await db
      .select({ at: auditEntries.at, file: auditEntries.subject, action: auditEntries.action })
      .from(auditEntries)
      .where(inArray(auditEntries.action, ['backup made', 'backup restored']))
      .orderBy(desc(auditEntries.id))
      .limit(1)
    const folders = [folder, noted && dirname(noted.file)].filter((place) => place !== undefined)
    const present = (await Promise.all(folders.map(listBackups))).flat()
    const newest = newestOf(present, now)
    if (newest !== undefined) return { at: momentOf(newest).toISOString(), file: newest, present: true }
    return noted?.action === 'backup made' ? { at: noted.at, file: noted.file, present: false } : undefined
  },
)

/** Never the one that was just made, even where others claim to be from the future. */
async function removeOlder(made: string, keep: number | undefined): Promise<string[]> {
  const folder = dirname(made)
  const upToNow = (await listBackups(folder)).filter((file) => file <= made)
  const older = keep === undefined ? [] : upToNow.slice(keep)
  for (const file of older) await rm(file, { force: true })
  await removeAbandoned(folder)
  return older
}
