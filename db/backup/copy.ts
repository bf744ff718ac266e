import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UserError } from '#db/errors.ts'
import type { Connection } from '#db/storage/connection.ts'
import { damageIn } from '#db/storage/integrity.ts'
import { openLocal } from '#db/storage/local.ts'
import { syncFolder } from '#db/storage/local-file.ts'
import { withUnfinished } from '#db/unfinished.ts'

/**
 * What a database holds, by numbers: `responses` without the deleted ones, `rows` with them, and in `latest` the number
 * of its newest one, also if that was erased since.
 */
export type Holdings = { responses: number; rows: number; latest: number }

/**
 * Writes everything that is stored at one moment into a new file: whole, examined and on the disk, or not at all.
 * @throws UserError 'damaged' when what was copied is damaged, 'full' when the disk is.
 */
export function writeCopy(source: Connection, file: string): Promise<Holdings> {
  return withUnfinished(file, async (unfinished) => {
    const before = await holdingsOf(source)
    await source.copyTo(unfinished)
    const held = await examined(unfinished, source)
    refuseOtherMoment(held, before, await holdingsOf(source))
    await rename(unfinished, file)
    await syncFolder(dirname(file))
    return held
  })
}

export async function holdingsOf({ read }: Pick<Connection, 'read'>): Promise<Holdings> {
  // A version that nobody knows yet may keep them elsewhere.
  const table = { sql: "SELECT 1 FROM sqlite_master WHERE name = 'rsvps'", args: [] }
  if ((await read(table)).rows.length === 0) return { responses: 0, rows: 0, latest: 0 }
  // The first versions had no deleted ones, nor a column for them.
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

async function examined(file: string, source: Connection): Promise<Holdings> {
  const copy = await openLocal(file, { mustExist: true })
  try {
    const [damage] = await damageIn(copy)
    if (damage !== undefined) {
      // The disk with the copies may be the bad one.
      if ((await damageIn(source)).length === 0) {
        throw new UserError(
          'unavailable',
          `The copy came out damaged (${damage}): look at the disk of ${dirname(file)}.`,
        )
      }
      const todo = 'Stop the site and bring back a backup: rsvp restore FILE'
      throw new UserError('damaged', `The database is damaged (${damage}), so no copy of it was kept. ${todo}`)
    }
    return await holdingsOf(copy)
  } finally {
    await copy.close()
  }
}

/** Answers come in and go meanwhile: the copy must lie between what there was before it and what there was after it. */
function refuseOtherMoment(copied: Holdings, before: Holdings, after: Holdings): void {
  const calm = before.rows === after.rows && before.latest === after.latest
  if (copied.latest < before.latest || copied.latest > after.latest || (calm && copied.rows !== before.rows)) {
    throw new UserError('damaged', 'The copy does not hold what the database holds. It was not kept; try again.')
  }
}
