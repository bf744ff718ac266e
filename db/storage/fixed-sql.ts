import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'

/** The same SQL with its values in it, built once, when it is first asked for: drizzle would build it for every query. */
export function fixedSql<Value>(build: () => SQL<Value>): () => SQL<Value> {
  let built: string | undefined
  return () => {
    built ??= new SQLiteAsyncDialect().sqlToQuery(build().inlineParams()).sql
    return sql.raw(built) as SQL<Value>
  }
}
