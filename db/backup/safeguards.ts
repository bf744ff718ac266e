import { dirname, join } from 'node:path'
import { projectRoot } from '#db/config/config.ts'
import { fileOf, placeOf } from '#db/config/database-url.ts'
import { UserError } from '#db/errors.ts'
import { quotedForShell } from '#db/shell.ts'
import type { Connection } from '#db/storage/connection.ts'
import { damageIn } from '#db/storage/integrity.ts'
import { realPathOf } from '#db/storage/local-file.ts'
import { removeAbandoned } from '#db/unfinished.ts'
import { keptName, listBackups } from './names.ts'

/**
 * Before a site serves from a file it is read from end to end.
 * @throws UserError 'configuration' with the command that brings a backup back, when it is damaged.
 */
export async function refuseDamage(connection: Connection, url: string, backupFolder = ''): Promise<void> {
  if (fileOf(url) === undefined) return
  const [damage] = await damageIn(connection)
  if (damage === undefined) return
  const [newest] = await listBackups(backupFolder)
  throw new UserError(
    'configuration',
    `The database at ${placeOf(url)} is damaged (${damage}); nothing was changed. Bring back a backup: npx rsvp restore ${newest === undefined ? 'FILE' : quotedForShell(newest)}`,
  )
}

/** Before its tables are changed a copy of the database is kept; answers where. */
export async function keepCopy(connection: Connection, url: string): Promise<string> {
  // Loaded only then: it brings the driver for files along, which a server does not need.
  const { writeCopy } = await import('./copy.ts')
  const file = keptName(await copyPlaceOf(url), 'update', new Date())
  try {
    await writeCopy(connection, file)
    return file
  } catch (error) {
    if (error instanceof UserError || !(error instanceof Error && 'code' in error)) throw error
    const why = `A copy has to be kept before the update changes the tables, and ${dirname(file)} cannot be written`
    throw new UserError('configuration', `${why} (${error.code}). Make it writable.`)
  }
}

/** Takes away the copies that were cut off. */
export async function forgetAbandonedCopies(url: string): Promise<void> {
  await removeAbandoned(dirname(await copyPlaceOf(url)))
}

/** Copies of a file lie beside it, not beside a link to it, and those of a server where a file would be. */
export function copyPlaceOf(url: string): Promise<string> {
  return realPathOf(fileOf(url) ?? join(projectRoot, 'data', 'rsvp.db'))
}
