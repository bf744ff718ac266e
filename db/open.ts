import { findTrouble } from '#db/backup/trouble.ts'
import { UserError } from '#db/values/errors.ts'
import { assertNotEmpty, keepCopy, removeAbandonedCopies, restoreCommand } from './backup/safeguards.ts'
import { fileOf, placeOf } from './config/places.ts'
import { assertThisVersion, migrate, readVersion } from './migrate.ts'
import { closeDatabase, setConnection, setDamaged } from './storage/client.ts'
import type { Connection } from './storage/connection.ts'
import { explainStorageError } from './storage/storage-error.ts'

type Opening = {
  authToken?: string | undefined
  /** Throws if the file does not exist, instead of creating it. */
  mustExist?: boolean
  /** Whether a site serves from the database. Checks the integrity of a file first, and holds the site lock. */
  serving?: boolean
  /** The folder of the backups, for the message about a damaged or empty file. */
  backupFolder?: string | undefined
  /**
   * What to do with the tables of another version. By default they are refused: only `rsvp serve` and `rsvp migrate`
   * migrate them, and only a backup accepts any version.
   */
  otherVersion?: 'migrate' | 'accept'
}

/**
 * Opens the database, and creates its tables if it is empty. Keeps a copy before it migrates an older version.
 * @param url absolute `file:` path, or the address of a libSQL server.
 * @returns the path of the copy, if one was made.
 * @throws UserError 'configuration' when the file is not a usable database, 'busy' when another process keeps it
 * locked, 'unavailable' when the server does not reply.
 */
export async function openDatabase(url: string, opening: Opening = {}): Promise<string | undefined> {
  try {
    const opened = await connect(url, opening)
    setConnection(opened)
    if (opening.serving || opening.otherVersion === 'migrate') await assertUsable(opened, url, opening)
    const kept = await prepareTables(opened, url, opening)
    await opened.accept()
    if (opening.serving) await removeAbandonedCopies(url)
    return kept
  } catch (error) {
    await closeDatabase()
    if (error instanceof UserError && /^(configuration|busy|full)$/.test(error.code)) throw error
    if (reasonOf(error) === 'SQLITE_FULL') throw explainStorageError(error)
    const problem = `There is no usable database at ${placeOf(url)} (${reasonOf(error)}).`
    // A server may come back; an unusable file stays unusable.
    if (fileOf(url) === undefined) {
      throw new UserError('unavailable', `${problem} Check that the server runs, and DATABASE_URL.`)
    }
    const isDamaged = error instanceof UserError && error.code === 'damaged'
    const more = isDamaged ? `, or restore a backup: ${await restoreCommand(opening.backupFolder)}` : '.'
    throw new UserError('configuration', `${problem} Check DATABASE_URL${more}`)
  }
}

async function connect(
  url: string,
  { authToken, mustExist = false, serving = false, backupFolder }: Opening,
): Promise<Connection> {
  const file = fileOf(url)
  if (file !== undefined) {
    await assertNotEmpty(file, backupFolder)
    const { openLocal } = await import('./storage/local.ts')
    return openLocal(file, { mustExist, serving, checkReplacement: (read) => checkReplacement(read, file) })
  }
  const { openRemote } = await import('./storage/remote.ts')
  return openRemote(url, authToken)
}

/** Checks the objects in the database and, if a site serves from a file, also its pages and values. */
async function assertUsable(opened: Connection, url: string, { serving, backupFolder }: Opening): Promise<void> {
  const trouble = await findTrouble(opened, placeOf(url), serving === true && !opened.isServer)
  if (trouble === undefined) return
  const todo = trouble.code === 'damaged' ? 'Restore' : 'Change it back, or restore'
  const command = await restoreCommand(backupFolder)
  throw new UserError('configuration', `${trouble.sentence} Nothing was changed. ${todo} a backup: ${command}`)
}

async function prepareTables(opened: Connection, url: string, { otherVersion }: Opening): Promise<string | undefined> {
  if (otherVersion === 'accept' && (await readVersion(opened)) !== 'none') return undefined
  return migrate(opened, otherVersion === 'migrate' ? () => keepCopy(opened, url) : undefined)
}

/** A file that replaces a damaged one can be written again. */
async function checkReplacement(read: Connection['read'], file: string): Promise<void> {
  await assertThisVersion(read)
  const trouble = await findTrouble({ read }, file)
  // 'unavailable', because a running site waits for the right file.
  if (trouble !== undefined) throw new UserError('unavailable', `${trouble.sentence} Put the right file in its place.`)
  setDamaged(false)
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : 'unknown'
}
