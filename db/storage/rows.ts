import type { Statement } from './connection.ts'
import { quoteIdentifier, type Source, type Table } from './tables.ts'

/** Rows that are read, compared and written at once. */
const PAGE_SIZE = 200
const BEFORE_FIRST = '-9223372036854775808'

/**
 * Every row of a table in pages, each row as an SQL literal: no value passes through a JavaScript number or string, which
 * could change it.
 * @param name another table with the same columns, to read instead.
 */
export async function* pagesOf({ read }: Source, { name: own, columns }: Table, name = own): AsyncGenerator<string[]> {
  const values = ['rowid', ...columns.map(literalOf)].join(" || ',' || ")
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

/** The statement that inserts a page of rows into a table with these columns; rows that exist stay as they are. */
export function insertPage({ name: own, columns }: Table, page: string[], name = own): Statement {
  const names = ['rowid', ...columns.map(quoteIdentifier)].join(', ')
  return { sql: `INSERT OR IGNORE INTO ${quoteIdentifier(name)} (${names}) VALUES ${page.join(',')}`, args: [] }
}

/** `quote()`, except for a text that contains NUL, at which it would stop. */
function literalOf(column: string): string {
  const value = quoteIdentifier(column)
  return `iif(typeof(${value}) = 'text' AND instr(${value}, char(0)), 'CAST(X''' || hex(${value}) || ''' AS TEXT)', quote(${value}))`
}
