import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { rsvps } from '#db/rsvp/table.ts'
import { standingRsvps } from '#db/standing/table.ts'

/**
 * Secrets beside the `linkHash` of an RSVP: those of households that come every week, those sent by mail, and those of
 * calendars. Each names either an RSVP or a standing RSVP.
 */
export const privateLinks = sqliteTable(
  'private_links',
  {
    /** SHA-256 of the secret, as `hashOfLinkSecret` makes it. */
    hash: text().primaryKey(),
    /** What it opens: the page that changes it, or the calendar, which only reads. */
    purpose: text({ enum: ['change', 'calendar'] }).notNull(),
    rsvpId: integer('rsvp_id').references(() => rsvps.id, { onDelete: 'cascade' }),
    standingId: integer('standing_id').references(() => standingRsvps.id, { onDelete: 'cascade' }),
    /** Whether it neither shows nor changes the prayer request: it may have come to someone else than its sender. */
    hidesPrayer: integer('hides_prayer', { mode: 'boolean' }).notNull().default(false),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('private_links_rsvp').on(table.rsvpId).where(sql`rsvp_id IS NOT NULL`),
    index('private_links_standing').on(table.standingId).where(sql`standing_id IS NOT NULL`),
  ],
)
