import { rm } from 'node:fs/promises'
import type { Connection, Statement } from './connection.ts'
import { syncFile } from './files.ts'
import { openLocal } from './local.ts'
import { listTables, quoteIdentifier, SEQUENCE, type Source, type Table } from './tables.ts'

/** A file that is removed on any failure needs no durability until it is complete. */
const UNSAFE_SETTINGS = ['journal_mode=OFF', 'synchronous=OFF', 'foreign_keys=OFF']
/** Rows that are read and written at once. */
const PAGE_SIZE = 200
const BEFORE_FIRST = '-9223372036854775808'

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
  const { rows } = await source.read({
    sql: "SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL ORDER BY rowid",
    args: [],
  })
  const indexesViewsAndTriggers = rows.map((row) => String(row[0]))
  await writeAll(target, indexesViewsAndTriggers)
}

async function writeAll(target: Connection, sqls: string[]): Promise<void> {
  if (sqls.length > 0) await target.batch(sqls.map((sql) => ({ sql, args: [] })))
}

/**
 * Every row of a table in pages, each row as an SQL literal: no value passes through a JavaScript number or string, which
 * could change it.
 */
async function* pagesOf({ read }: Source, { name, columns }: Table): AsyncGenerator<string[]> {
  const values = ['rowid', ...columns.map((column) => `quote(${quoteIdentifier(column)})`)].join(" || ',' || ")
  const sql = `SELECT CAST(rowid AS TEXT), '(' || ${values} || ')' FROM ${quoteIdentifier(name)}
    WHERE rowid > CAST(? AS INTEGER) ORDER BY rowid LIMIT ${PAGE_SIZE}`
  for (let after = BEFORE_FIRST; ; ) {
    const { rows } = await read({ sql, args: [after] })
    if (rows.length > 0) yield rows.map((row) => String(row[1]))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_SIZE) return
    after = String(last[0])
  }
}

/** `OR IGNORE`, so that it may be run again: rows keep their ids. */
function insertPage({ name, columns }: Table, page: string[]): Statement {
  const names = ['rowid', ...columns.map(quoteIdentifier)].join(', ')
  return { sql: `INSERT OR IGNORE INTO ${quoteIdentifier(name)} (${names}) VALUES ${page.join(',')}`, args: [] }
}
