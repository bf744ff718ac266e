import { UserError } from '#db/errors.ts'
import type { Connection } from '#db/storage/connection.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { openLocal } from '#db/storage/local.ts'
import { countStored, type StoredCounts } from './copy.ts'

/** What a file is: a whole backup with its counts, a damaged file, or a database of something else. */
export type Examined = ({ kind: 'whole' } & StoredCounts) | { kind: 'damaged'; damage: string } | { kind: 'foreign' }

/** Opens a file, checks every page of it, and counts. */
export async function examineBackup(file: string): Promise<Examined> {
  const connection = await openLocal(file, { mustExist: true })
  try {
    const [damage] = await checkIntegrity(connection)
    if (damage !== undefined) return { kind: 'damaged', damage }
    if (await isForeign(connection)) return { kind: 'foreign' }
    return { kind: 'whole', ...(await countStored(connection)) }
  } finally {
    await connection.close()
  }
}

/**
 * The counts of a file that must be a backup.
 * @param named what messages call it.
 * @throws UserError 'damaged' when it is, 'configuration' when it is not a backup of a site.
 */
export async function countBackup(file: string, named: string): Promise<StoredCounts> {
  const examined = await examineBackup(file)
  if (examined.kind === 'damaged')
    throw new UserError('damaged', `${named} is damaged or not a backup (${examined.damage}). Try another one.`)
  if (examined.kind === 'foreign')
    throw new UserError('configuration', `${named} is not a backup of this site. Try another one.`)
  const { responses, rows, latest } = examined
  return { responses, rows, latest }
}

async function isForeign({ read }: Connection): Promise<boolean> {
  const own = "name IN ('rsvps', '__drizzle_migrations')"
  const { rows } = await read({ sql: `SELECT name FROM sqlite_master WHERE ${own}`, args: [] })
  return rows.length < 2
}
