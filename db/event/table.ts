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
    /** The address of a map of the place, or empty. */
    mapLink: text('map_link').notNull().default(''),
    /** Whom to ask, or empty. */
    contact: text().notNull().default(''),
    /** What first-time visitors want to know, or empty. */
    whatToExpect: text('what_to_expect').notNull().default(''),
    /** Rises with every change: whoever changes the event names the revision that was seen. */
    revision: integer().notNull().default(1),
  },
  (table) => [check('one_event', sql`${table.id} = 1`)],
)

true satisfies Same<Omit<typeof events.$inferSelect, 'id' | 'revision'>, Required<EventPayload>>
