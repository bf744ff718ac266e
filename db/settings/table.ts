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
    /** When something was last removed by date, ISO 8601 in UTC: a clock that is far from it is wrong, or the site was off. */
    purgedAt: text('purged_at'),
    /** Overwritten to check that the database can be written, in ms since 1970. */
    checkedAt: integer('checked_at'),
  },
  (table) => [check('one_row', sql`${table.id} = 1`)],
)
