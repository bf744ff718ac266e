import { forgetAbandonedCopies, keepCopy, refuseDamage } from './backup/safeguards.ts'
import { fileOf, placeOf } from './config/database-url.ts'
import { UserError } from './errors.ts'
import { acceptAnyVersion, makeMissingTables, migrate, refuseOtherVersion } from './migrate.ts'
import { acceptWrites, closeDatabase, setConnection } from './storage/client.ts'
import type { Connection } from './storage/connection.ts'

type Opening = {
  /** The token of a libSQL server. */
  authToken?: string | undefined
  /** Refuse a file that is not there yet, instead of making it. */
  mustExist?: boolean
  /** A site serves from it: a file is read from end to end first, and nobody replaces it unseen meanwhile. */
  serving?: boolean
  /** Where backups are, for whoever has to bring one back. */
  backupFolder?: string | undefined
  /**
   * What becomes of tables of another version. Without it they are refused, and left as they are: only what starts a site
   * and `rsvp migrate` bring them up to date, and a backup takes any.
   */
  otherVersion?: 'bring up to date' | 'accept'
}

/**
 * Opens the database; where nothing is stored yet its tables are made. Before those of an older version are brought up to
 * date, a copy is kept.
 * @param url absolute `file:` path, or the address of a libSQL server.
 * @returns the copy that was kept, if one was.
 * @throws UserError 'configuration' when the file is no usable database, 'busy' when somebody else keeps it locked,
 * 'unavailable' when the server does not answer.
 */
export async function openDatabase(url: string, opening: Opening = {}): Promise<string | undefined> {
  try {
    const opened = await connect(url, opening)
    setConnection(opened)
    if (opening.serving) await refuseDamage(opened, url, opening.backupFolder)
    const kept = await prepareTables(opened, url, opening)
    await opened.keepPrivate()
    if (opening.serving) await forgetAbandonedCopies(url)
    return kept
  } catch (error) {
    await closeDatabase()
    if (error instanceof UserError && /^(configuration|busy|full)$/.test(error.code)) throw error
    const begin = `There is no usable database at ${placeOf(url)} (${reason(error)}).`
    // A server may be back in a moment; a file that cannot be used stays so.
    if (fileOf(url) === undefined) {
      throw new UserError('unavailable', `${begin} Check that the server runs, and DATABASE_URL.`)
    }
    const isDamaged = error instanceof UserError && error.code === 'damaged'
    const more = isDamaged ? ', or bring back a backup with `npx rsvp restore FILE`' : ''
    throw new UserError('configuration', `${begin} Check DATABASE_URL${more}.`)
  }
}

async function connect(url: string, { authToken, mustExist = false, serving = false }: Opening): Promise<Connection> {
  const file = fileOf(url)
  if (file !== undefined) {
    const { openLocal } = await import('./storage/local.ts')
    return openLocal(file, { mustExist, serving, examineOther: acceptOther })
  }
  const { openRemote } = await import('./storage/remote.ts')
  return openRemote(url, authToken)
}

async function prepareTables(opened: Connection, url: string, { otherVersion }: Opening): Promise<string | undefined> {
  let kept: string | undefined
  if (otherVersion === 'bring up to date') {
    await migrate(opened, async () => {
      kept = await keepCopy(opened, url)
    })
  } else if (otherVersion === undefined || (await acceptAnyVersion(opened)) === 'none') {
    await makeMissingTables(opened)
  }
  return kept
}

/** Whatever was damaged is no longer there. */
async function acceptOther(read: Connection['read']): Promise<void> {
  await refuseOtherVersion(read)
  acceptWrites()
}

function reason(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : 'unknown'
}
