import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What the database knows of the time: one row, always; a migration puts it there. Moments are ISO 8601 in UTC. */
export const clockMarks = sqliteTable(
  'clock_marks',
  {
    id: integer().primaryKey().default(1),
    /** The latest moment that a believed clock has shown (the high-water mark); empty while there was none. */
    seenAt: text('seen_at').notNull(),
    /** What a doubtful clock showed when a site last looked at it; null while no site doubts its own. */
    doubtedAt: text('doubted_at'),
    /** How long that clock has been running steadily since, in ms. */
    steadyMs: integer('steady_ms').notNull().default(0),
    /** When somebody last confirmed how many responses a retention makes anonymous: those due then need no bound. */
    anonymizeConfirmedAt: text('anonymize_confirmed_at'),
    /** The same for deleted responses that are erased. */
    eraseConfirmedAt: text('erase_confirmed_at'),
  },
  (table) => [check('one_row', sql`${table.id} = 1`)],
)
