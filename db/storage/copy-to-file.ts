import { rm } from 'node:fs/promises'
import type { Connection, Statement } from './connection.ts'
import { syncFile } from './files.ts'
import { openLocal } from './local.ts'
import { listTables, quoteIdentifier, SEQUENCE, type Source, type Table } from './tables.ts'

/** Faster settings without durability: the file is removed if anything fails. */
const UNSAFE_SETTINGS = ['journal_mode=OFF', 'synchronous=OFF', 'foreign_keys=OFF']
/** How many rows are read and written at a time. */
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
    // SQLite has filled this table while the rows of the others were inserted.
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
 * The rows of a table in pages, each as an SQL literal, because a JavaScript number or string could change a value.
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

/** With `OR IGNORE`, so that it may run twice: rows keep their ids. */
function insertPage({ name, columns }: Table, page: string[]): Statement {
  const names = ['rowid', ...columns.map(quoteIdentifier)].join(', ')
  return { sql: `INSERT OR IGNORE INTO ${quoteIdentifier(name)} (${names}) VALUES ${page.join(',')}`, args: [] }
}
