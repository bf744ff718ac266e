import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { rsvps } from '#db/rsvp/table.ts'
import { audiences } from './schema.ts'

/** The prayer requests sent with RSVPs, at most one with each. Moments are ISO 8601 in UTC. */
export const prayers = sqliteTable('prayers', {
  /** Never used again: a mail in the queue names it. */
  id: integer().primaryKey({ autoIncrement: true }),
  rsvpId: integer('rsvp_id')
    .notNull()
    .unique()
    .references(() => rsvps.id, { onDelete: 'cascade' }),
  text: text().notNull(),
  audience: text({ enum: audiences }).notNull(),
  createdAt: text('created_at').notNull(),
  prayedAt: text('prayed_at'),
  /** Whether someone should visit the household. */
  toVisit: integer('to_visit', { mode: 'boolean' }).notNull().default(false),
})
