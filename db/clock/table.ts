import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Always one row, inserted by a migration. Moments are ISO 8601 in UTC. */
export const clockMarks = sqliteTable(
  'clock_marks',
  {
    id: integer().primaryKey().default(1),
    /** The latest moment shown by a trusted clock (the high-water mark); empty before there is one. */
    seenAt: text('seen_at').notNull(),
    /** The time of a doubtful clock at its site's last check; null while no site doubts its clock. */
    doubtedAt: text('doubted_at'),
    /** How long that clock has run steadily since, in ms. */
    steadyMs: integer('steady_ms').notNull().default(0),
  },
  (table) => [check('one_row', sql`${table.id} = 1`)],
)
