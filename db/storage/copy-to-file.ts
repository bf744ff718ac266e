import { rm } from 'node:fs/promises'
import { syncFile } from '#db/process/files.ts'
import type { Connection } from './connection.ts'
import { openLocal } from './local.ts'
import { insertPage, pagesOf } from './rows.ts'
import { listOtherObjects, listTables, quoteIdentifier, SEQUENCE, type Source } from './tables.ts'

/** A file that is removed on any failure needs no durability until it is complete. */
const UNSAFE_SETTINGS = ['journal_mode=OFF', 'synchronous=OFF', 'foreign_keys=OFF']

/** Copies all tables and rows into a new database file, readable by its owner only, and syncs it to disk. */
export async function copyToFile(source: Source, file: string): Promise<void> {
  try {
    const target = await openLocal(file, { mustExist: false })
    try {
      for (const setting of UNSAFE_SETTINGS) await target.read({ sql: `PRAGMA ${setting}`, args: [] })
      await fill(target, source)
    } finally {
      await target.close()
    }
    await syncFile(file)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

async function fill(target: Connection, source: Source): Promise<void> {
  const tables = await listTables(source)
  await writeAll(
    target,
    tables.filter(({ name }) => name !== SEQUENCE).map(({ sql }) => sql),
  )
  for (const table of tables) {
    // SQLite has already filled it while the rows of the other tables were inserted.
    if (table.name === SEQUENCE) await writeAll(target, [`DELETE FROM ${quoteIdentifier(SEQUENCE)}`])
    for await (const page of pagesOf(source, table)) await target.batch([insertPage(table, page)])
  }
  await writeAll(target, await listOtherObjects(source))
}

async function writeAll(target: Connection, sqls: string[]): Promise<void> {
  if (sqls.length > 0) await target.batch(sqls.map((sql) => ({ sql, args: [] })))
}
