import type { Connection } from './connection.ts'

/** A table as the database describes it, including tables that are not ours. */
export type Table = { name: string; sql: string; columns: string[] }

/** Where rows are read from: a connection or a snapshot. */
export type Source = Pick<Connection, 'read'>

/** SQLite's own table with the last AUTOINCREMENT id of each table, which keeps ids from being reused. */
export const SEQUENCE = 'sqlite_sequence'

/** Every table, parents before the tables that refer to them, `sqlite_sequence` last. */
export async function listTables({ read }: Source): Promise<Table[]> {
  const { rows } = await read({
    sql: `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'libsql_*'
      AND (name NOT GLOB 'sqlite_*' OR name = ?) ORDER BY name = ?, rowid`,
    args: [SEQUENCE, SEQUENCE],
  })
  const tables = await Promise.all(
    rows.map(async (row) => {
      const name = String(row[0])
      return { name, sql: String(row[1]), columns: await listColumns({ read }, name) }
    }),
  )
  return parentsFirst(tables, await listParents({ read }))
}

/** The statements that create indexes, views and triggers, in their original order. */
export async function listOtherObjects({ read }: Source): Promise<string[]> {
  const { rows } = await read({
    sql: "SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL ORDER BY rowid",
    args: [],
  })
  return rows.map((row) => String(row[0]))
}

/** A table, index, view or trigger, with the statement that made it; SQLite makes some by itself. */
export type SchemaObject = { type: string; name: string; table: string; sql: string | null }

/** Reading it runs nothing of what it lists. */
export const LIST_SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_master'

export async function listSchema({ read }: Source): Promise<SchemaObject[]> {
  const { rows } = await read({ sql: LIST_SCHEMA, args: [] })
  return rows.map((row) => schemaObject(Array.from(row)))
}

export function schemaObject([type, name, table, sql]: unknown[]): SchemaObject {
  return { type: String(type), name: String(name), table: String(table), sql: sql === null ? null : String(sql) }
}

/** Quotes any table or column name for use in a statement. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

async function listColumns({ read }: Source, table: string): Promise<string[]> {
  const { rows } = await read({ sql: 'SELECT name FROM pragma_table_info(?) ORDER BY cid', args: [table] })
  return rows.map((row) => String(row[0]))
}

/** For each table the names of the tables that its foreign keys refer to. */
async function listParents({ read }: Source): Promise<Map<string, string[]>> {
  const { rows } = await read({
    sql: `SELECT child.name AS child, parent."table" AS parent FROM sqlite_master AS child
      JOIN pragma_foreign_key_list(child.name) AS parent WHERE child.type = 'table'`,
    args: [],
  })
  const parents = new Map<string, string[]>()
  for (const row of rows) {
    const child = String(row[0])
    parents.set(child, [...(parents.get(child) ?? []), String(row[1])])
  }
  return parents
}

function parentsFirst(tables: Table[], parents: Map<string, string[]>): Table[] {
  const ordered = new Set<Table>()
  function add(table: Table, descendants: string[]): void {
    if (ordered.has(table) || descendants.includes(table.name)) return
    for (const other of tables) {
      if (parents.get(table.name)?.includes(other.name)) add(other, [...descendants, table.name])
    }
    ordered.add(table)
  }
  for (const table of tables) add(table, [])
  return Array.from(ordered)
}
