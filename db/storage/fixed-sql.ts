import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'

/** The same SQL with its values in it, built once: drizzle would take it apart again for every query. */
export function fixedSql<Value>(built: SQL<Value>): SQL<Value> {
  return sql.raw(new SQLiteAsyncDialect().sqlToQuery(built.inlineParams()).sql) as SQL<Value>
}
