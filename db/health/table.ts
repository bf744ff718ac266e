import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/** One row, overwritten to check that the database can be written. `checkedAt` is in ms since 1970. */
export const healthChecks = sqliteTable(
  'health_checks',
  {
    id: integer().primaryKey().default(1),
    checkedAt: integer('checked_at').notNull(),
  },
  (table) => [check('one_row', sql`${table.id} = 1`)],
)
