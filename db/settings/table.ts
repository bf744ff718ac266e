import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { publicNames } from './schema.ts'

/** One row, always: a migration puts it there. */
export const storedSettings = sqliteTable(
  'settings',
  {
    id: integer().primaryKey().default(1),
    publicNames: text('public_names', { enum: publicNames }).notNull(),
    retentionDays: integer('retention_days'),
  },
  (table) => [check('one_row', sql`${table.id} = 1`)],
)
