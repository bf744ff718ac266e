import { stat } from 'node:fs/promises'
import { UserError } from '#db/errors.ts'
import { findForeignObjects, foreignSentence } from '#db/foreign-objects.ts'
import { readVersion } from '#db/migrate.ts'
import type { Connection } from '#db/storage/connection.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { openLocal } from '#db/storage/local.ts'
import { countStored, type StoredCounts } from './copy.ts'

/**
 * What a file is: a whole backup with its counts, a damaged file, a database of something else, or one of ours to which
 * something was added.
 */
export type Examined =
  | ({ kind: 'whole'; isNewer: boolean } & StoredCounts)
  | { kind: 'damaged'; damage: string }
  | { kind: 'foreign' }
  | { kind: 'altered'; objects: string[] }

/** Examines a file that anyone may have made; a process of its own does it, which ends where that takes too long. */
export type Examine = (file: string) => Promise<Examined>

/** In bytes: a small file can ask for all memory there is. */
const MEMORY_MAXIMUM = 256 * 1024 * 1024

/** Opens a file, checks what is in it and every page, and counts. Nothing in it is run. */
export async function examineBackup(file: string): Promise<Examined> {
  // SQLite would take it for a new database.
  if ((await stat(file)).size === 0) return { kind: 'damaged', damage: 'it is empty' }
  const connection = await openLocal(file, { mustExist: true })
  try {
    await connection.read({ sql: `PRAGMA hard_heap_limit=${MEMORY_MAXIMUM}`, args: [] })
    if (await isForeign(connection)) return { kind: 'foreign' }
    const objects = await findForeignObjects(connection)
    if (objects.length > 0) return { kind: 'altered', objects }
    const [damage] = await checkIntegrity(connection)
    if (damage !== undefined) return { kind: 'damaged', damage }
    const isNewer = (await readVersion(connection)) === 'newer'
    return { kind: 'whole', isNewer, ...(await countStored(connection)) }
  } catch (error) {
    if (error instanceof UserError && error.code === 'damaged') return { kind: 'damaged', damage: 'it cannot be read' }
    throw error
  } finally {
    await connection.close()
  }
}

/**
 * The counts of what must be a backup.
 * @param named what messages call it.
 * @throws UserError 'damaged' when it is, 'configuration' when it is not a backup of a site, or something was added to it.
 */
export function countsOf(examined: Examined, named: string): StoredCounts {
  switch (examined.kind) {
    case 'damaged':
      throw new UserError('damaged', `${named} is damaged or not a backup (${examined.damage}). Try another one.`)
    case 'foreign':
      throw new UserError('configuration', `${named} is not a backup of this site. Try another one.`)
    case 'altered':
      throw new UserError('configuration', `${foreignSentence(named, examined.objects)} Try another one.`)
    case 'whole': {
      const { responses, rows, latest } = examined
      return { responses, rows, latest }
    }
  }
}

async function isForeign({ read }: Connection): Promise<boolean> {
  const own = "name IN ('rsvps', '__drizzle_migrations')"
  const { rows } = await read({ sql: `SELECT name FROM sqlite_master WHERE ${own}`, args: [] })
  return rows.length < 2
}
