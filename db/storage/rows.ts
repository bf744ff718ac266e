import type { Statement } from './connection.ts'
import { quoted, type Source, type Table } from './tables.ts'

/** Rows that are read, compared and written together, at most. */
const PAGE = 200
const FIRST = '-9223372036854775808'

/**
 * Every row of a table in pages, each row as SQLite writes it in a statement: so no value passes through a number or a
 * text of JavaScript, which could change it.
 * @param name of a table with the same columns to read instead.
 */
export async function* pagesOf({ read }: Source, { name: own, columns }: Table, name = own): AsyncGenerator<string[]> {
  const values = ['rowid', ...columns.map(literalOf)].join(" || ',' || ")
  const sql = `SELECT CAST(rowid AS TEXT), '(' || ${values} || ')' FROM ${quoted(name)}
    WHERE rowid > CAST(? AS INTEGER) ORDER BY rowid LIMIT ${PAGE}`
  for (let after = FIRST; ; ) {
    const { rows } = await read({ sql, args: [after] })
    if (rows.length > 0) yield rows.map((row) => String(row[1]))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = String(last[0])
  }
}

/** Writes a page of rows into a table with these columns; those that are there already stay as they are. */
export function insertion({ name: own, columns }: Table, page: string[], name = own): Statement {
  const names = ['rowid', ...columns.map(quoted)].join(', ')
  return { sql: `INSERT OR IGNORE INTO ${quoted(name)} (${names}) VALUES ${page.join(',')}`, args: [] }
}

/** As text, but for one with a NUL in it, where quote() would stop. */
function literalOf(column: string): string {
  const value = quoted(column)
  return `iif(typeof(${value}) = 'text' AND instr(${value}, char(0)), 'CAST(X''' || hex(${value}) || ''' AS TEXT)', quote(${value}))`
}
