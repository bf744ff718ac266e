import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Same } from '#db/same.ts'
import type { EventPayload } from './schema.ts'

/** One row at most: there is one weekly event. */
export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey().default(1),
    title: text().notNull(),
    subtitle: text().notNull(),
    eventTitle: text('event_title').notNull(),
    description: text().notNull(),
    date: text().notNull(),
    time: text().notNull(),
    location: text().notNull(),
    /** Rises with every change: whoever changes the event names the revision that was seen. */
    revision: integer().notNull().default(1),
  },
  (table) => [check('one_event', sql`${table.id} = 1`)],
)

true satisfies Same<Omit<typeof events.$inferSelect, 'id' | 'revision'>, Required<EventPayload>>
