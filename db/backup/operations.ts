import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { desc, inArray } from 'drizzle-orm'
import { recordAct } from '#db/audit/operations.ts'
import { auditEntries } from '#db/audit/table.ts'
import type { Doubt } from '#db/clock/doubt.ts'
import { findDoubt } from '#db/clock/operations.ts'
import { UserError } from '#db/errors.ts'
import { readVersion } from '#db/migrate.ts'
import { operation } from '#db/operation.ts'
import { quoteForShell } from '#db/process/shell.ts'
import { removeAbandoned } from '#db/process/unfinished.ts'
import { db, openedDatabase } from '#db/storage/client.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { type StoredCounts, writeCopy } from './copy.ts'
import { prepareBackupFolder } from './folder.ts'
import { fileMade, madeSubject } from './made.ts'
import { backupName, listBackups, momentOf, newestOf } from './names.ts'
import { backupRequest, lastBackupRequest } from './schema.ts'

/** A new backup. `removed` lists the older ones that it replaced; none while the clock is doubtful. */
export type Backup = StoredCounts & { file: string; removed: string[]; doubt: Doubt | undefined }

/** When the last good backup was made, ISO 8601 in UTC, and whether its file still exists. */
type LastBackup = { at: string; file: string; present: boolean }

/**
 * Saves everything in a new file, which appears complete, verified and synced, or not at all. Then removes older backups,
 * unless the clock is doubtful and their age unknown. A database of another version is saved as it is.
 * @throws UserError 'damaged' when the database is; every older backup stays then. 'full' when the disk is full.
 */
export const createBackup = operation(backupRequest, async ({ folder, database, keep }, call): Promise<Backup> => {
  const problem = await prepareBackupFolder(folder, database)
  if (problem !== undefined) throw new UserError('unavailable', problem)
  const file = join(folder, backupName(call.now))
  const counts = await writeCopy(openedDatabase(), file)
  // Damage in unused pages is not in the copy.
  const [damage] = await checkIntegrity(openedDatabase())
  if (damage !== undefined) {
    throw new UserError(
      'damaged',
      `The database is damaged (${damage}), but everything in it was saved. Stop the site and restore it: rsvp backup restore ${quoteForShell(file)}`,
    )
  }
  // The tables of another version are saved, but not written.
  const isThisVersion = (await readVersion(openedDatabase())) === 'this'
  if (isThisVersion) await recordAct({ action: 'backup made', subject: madeSubject(file, counts) }, call)
  const doubt = isThisVersion ? await findDoubt(call) : undefined
  const removed = await removeOlder(file, doubt === undefined ? keep : undefined, counts)
  return { file, ...counts, doubt, removed }
})

/**
 * The last known backup, made on any machine; undefined if there is none. A restored database does not know of later ones,
 * but they are in the folder that it came from. One from the future counts only if there is no other.
 */
export const getLastBackup = operation(
  lastBackupRequest,
  async ({ folder }, { now }): Promise<LastBackup | undefined> => {
    const [recorded] = await db
      .select({ at: auditEntries.at, subject: auditEntries.subject, action: auditEntries.action })
      .from(auditEntries)
      .where(inArray(auditEntries.action, ['backup made', 'backup restored']))
      .orderBy(desc(auditEntries.id))
      .limit(1)
    const file = recorded && fileMade(recorded.subject)
    const folders = [folder, file && dirname(file)].filter((place) => place !== undefined)
    const present = (await Promise.all(folders.map(listBackups))).flat()
    const newest = newestOf(present, now)
    if (newest !== undefined) return { at: momentOf(newest).toISOString(), file: newest, present: true }
    if (recorded?.action !== 'backup made') return undefined
    return { at: recorded.at, file: fileMade(recorded.subject), present: false }
  },
)

/**
 * Never the one that was just made, even where others claim to be from the future. Where nothing was ever stored in this
 * database, another may have been lost: every backup stays.
 */
async function removeOlder(made: string, keep: number | undefined, { latest }: StoredCounts): Promise<string[]> {
  const folder = dirname(made)
  const upToNow = (await listBackups(folder)).filter((file) => file <= made)
  const removed = keep === undefined || latest === 0 ? [] : upToNow.slice(keep)
  for (const file of removed) await rm(file, { force: true })
  await removeAbandoned(folder)
  return removed
}
