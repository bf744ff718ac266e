import { rm } from 'node:fs/promises'
import type { Connection } from './connection.ts'
import { openLocal } from './local.ts'
import { syncFile } from './local-file.ts'
import { insertion, pagesOf } from './rows.ts'
import { listOthers, listTables, quoted, SEQUENCE, type Source } from './tables.ts'

/** While nobody else knows of the file it is whole or taken away: nothing of it has to be safe before the end. */
const CARELESS = ['journal_mode=OFF', 'synchronous=OFF', 'foreign_keys=OFF']

/** Writes everything that is read into a new database file, for this account only and on the disk. */
export async function copyToFile(source: Source, file: string): Promise<void> {
  try {
    const target = await openLocal(file, { mustExist: false })
    try {
      for (const setting of CARELESS) await target.read({ sql: `PRAGMA ${setting}`, args: [] })
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
    // What SQLite has written there by itself, for the rows of the other tables.
    if (table.name === SEQUENCE) await writeAll(target, [`DELETE FROM ${quoted(SEQUENCE)}`])
    for await (const page of pagesOf(source, table)) await target.write([insertion(table, page)])
  }
  await writeAll(target, await listOthers(source))
}

async function writeAll(target: Connection, sqls: string[]): Promise<void> {
  if (sqls.length > 0) await target.write(sqls.map((sql) => ({ sql, args: [] })))
}
