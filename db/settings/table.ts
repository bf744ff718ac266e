import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { publicNames } from './schema.ts'

/** Always one row, inserted by a migration. */
export const storedSettings = sqliteTable(
  'settings',
  {
    id: integer().primaryKey().default(1),
    publicNames: text('public_names', { enum: publicNames }).notNull(),
    retentionDays: integer('retention_days'),
    publicUrl: text('public_url'),
    prayers: integer({ mode: 'boolean' }).notNull().default(false),
    prayerDays: integer('prayer_days').default(30),
  },
  (table) => [check('one_row', sql`${table.id} = 1`)],
)
