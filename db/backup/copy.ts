import { rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { rsvpCommand } from '#db/config/places.ts'
import type { Connection } from '#db/storage/connection.ts'
import { syncFolder, withTemporaryFile } from '#db/storage/files.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { openLocal } from '#db/storage/local.ts'
import { DAMAGED, UserError } from '#db/values/errors.ts'
import { findTrouble } from './trouble.ts'

/**
 * Writes a consistent snapshot into a new file. The file appears complete, verified and synced to disk, or not at all.
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

async function countResponses({ read }: Connection): Promise<number> {
  const { rows } = await read({ sql: 'SELECT count(*) FROM rsvps WHERE deleted_at IS NULL', args: [] })
  return Number(rows[0]?.[0])
}

/**
 * Checks the schema, every page and every value of a file that anyone may have made. Nothing in it is run.
 * @param named its name in messages.
 * @returns how many responses are in it, without deleted ones.
 * @throws UserError 'damaged' for a damaged file, 'configuration' if it is not a backup of a site, was altered, or is
 * from a newer version.
 */
export async function examineBackup(file: string, named: string): Promise<number> {
  const damaged = (why: string) => new UserError('damaged', `${named} is damaged (${why}). Try another one.`)
  // SQLite would take it for a new database.
  if ((await stat(file)).size === 0) throw damaged('it is empty')
  const connection = await openLocal(file, { mustExist: true })
  try {
    if (await isForeign(connection))
      throw new UserError('configuration', `${named} is not a backup of this site. Try another one.`)
    const trouble = await findTrouble(connection, named)
    if (trouble !== undefined) throw new UserError(trouble.code, `${trouble.sentence} Try another one.`)
    return await countResponses(connection)
  } catch (error) {
    throw error instanceof UserError && error.message === DAMAGED ? damaged('it cannot be read') : error
  } finally {
    await connection.close()
  }
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

async function isForeign({ read }: Connection): Promise<boolean> {
  const own = "name IN ('rsvps', '__drizzle_migrations')"
  const { rows } = await read({ sql: `SELECT name FROM sqlite_master WHERE ${own}`, args: [] })
  return rows.length < 2
}
