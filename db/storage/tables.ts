import type { Connection } from './connection.ts'

export type Table = { name: string; sql: string; columns: string[] }

/** A connection or a snapshot. */
export type Source = Pick<Connection, 'read'>

/** SQLite's own table with the last AUTOINCREMENT id of each table, which keeps ids from being reused. */
export const SEQUENCE = 'sqlite_sequence'

/** Every table, `sqlite_sequence` last. */
export async function listTables({ read }: Source): Promise<Table[]> {
  const { rows } = await read({
    sql: `SELECT name, sql, (SELECT json_group_array(name) FROM pragma_table_info(listed.name))
      FROM sqlite_master AS listed WHERE type = 'table' AND name NOT GLOB 'libsql_*'
      AND (name NOT GLOB 'sqlite_*' OR name = ?)
      ORDER BY name = ?, rowid`,
    args: [SEQUENCE, SEQUENCE],
  })
  return rows.map((row) => ({ name: String(row[0]), sql: String(row[1]), columns: JSON.parse(String(row[2])) }))
}

/** A table, index, view or trigger, with the statement that created it; null for those that SQLite adds. */
export type SchemaObject = { type: string; name: string; table: string; sql: string | null }

/** Safe for an untrusted file: it runs no trigger, view or expression. */
export const LIST_SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_master'

export async function listSchema({ read }: Source): Promise<SchemaObject[]> {
  const { rows } = await read({ sql: LIST_SCHEMA, args: [] })
  return rows.map((row) => schemaObject(Array.from(row)))
}

export function schemaObject([type, name, table, sql]: unknown[]): SchemaObject {
  return { type: String(type), name: String(name), table: String(table), sql: sql === null ? null : String(sql) }
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
