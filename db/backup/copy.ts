import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UserError } from '#db/errors.ts'
import { syncFolder } from '#db/process/new-file.ts'
import { withTemporaryFile } from '#db/process/unfinished.ts'
import type { Connection } from '#db/storage/connection.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { openLocal } from '#db/storage/local.ts'

/**
 * How many responses a database holds: `responses` without the deleted ones, `rows` with them; `latest` is the highest id
 * ever given, even if that response was erased.
 */
export type StoredCounts = { responses: number; rows: number; latest: number }

/**
 * Writes a consistent snapshot into a new file. The file appears complete, verified and synced to disk, or not at all.
 * @throws UserError 'damaged' when the copy or the database is damaged, 'full' when the disk is full.
 */
export function writeCopy(source: Connection, file: string): Promise<StoredCounts> {
  return withTemporaryFile(file, async (temporary) => {
    const before = await countStored(source)
    await source.copyTo(temporary).catch((error) => {
      throw naming(dirname(file), error)
    })
    const counts = await verifyCopy(temporary, source)
    assertConsistentSnapshot(counts, before, await countStored(source))
    await rename(temporary, file)
    await syncFolder(dirname(file))
    return counts
  })
}

/** The disk of the copy may be another one than that of the database. */
function naming(folder: string, error: unknown): unknown {
  if (!(error instanceof UserError && error.code === 'full')) return error
  return new UserError('full', `The disk of ${folder} is full, so nothing was saved. Make room there, then try again.`)
}

export async function countStored({ read }: Pick<Connection, 'read'>): Promise<StoredCounts> {
  // A future version may store them elsewhere.
  const table = { sql: "SELECT 1 FROM sqlite_master WHERE name = 'rsvps'", args: [] }
  if ((await read(table)).rows.length === 0) return { responses: 0, rows: 0, latest: 0 }
  // The first versions had no trash, and no column for it.
  const column = { sql: "SELECT 1 FROM pragma_table_info('rsvps') WHERE name = 'deleted_at'", args: [] }
  const isLive = (await read(column)).rows.length > 0 ? 'deleted_at IS NULL' : 'true'
  const { rows } = await read({
    sql: `SELECT count(*), coalesce(sum(${isLive}), 0),
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'rsvps'), 0) FROM rsvps`,
    args: [],
  })
  const [all, live, latest] = Array.from(rows[0] ?? [], Number)
  return { responses: live ?? 0, rows: all ?? 0, latest: latest ?? 0 }
}

async function verifyCopy(file: string, source: Connection): Promise<StoredCounts> {
  const copy = await openLocal(file, { mustExist: true })
  try {
    const [damage] = await checkIntegrity(copy)
    if (damage !== undefined) {
      // The disk that holds the copies may be the bad one.
      if ((await checkIntegrity(source)).length === 0) {
        throw new UserError(
          'unavailable',
          `The copy is damaged (${damage}), the database is not: check the disk of ${dirname(file)}.`,
        )
      }
      const todo = 'Stop the site and restore a backup: rsvp backup restore FILE'
      throw new UserError('damaged', `The database is damaged (${damage}), so no copy of it was kept. ${todo}`)
    }
    return await countStored(copy)
  } finally {
    await copy.close()
  }
}

/** RSVPs are stored during the copy, so its counts have to lie between those before and after it. */
function assertConsistentSnapshot(copied: StoredCounts, before: StoredCounts, after: StoredCounts): void {
  const unchanged = before.rows === after.rows && before.latest === after.latest
  if (copied.latest < before.latest || copied.latest > after.latest || (unchanged && copied.rows !== before.rows)) {
    throw new UserError('damaged', 'The copy does not match the database and was not kept. Try again.')
  }
}
