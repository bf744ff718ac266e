import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { rsvps } from '#db/rsvp/table.ts'
import type { Same } from '#db/same.ts'
import type { StoredVolunteerRole } from './schema.ts'

export const volunteerRoles = sqliteTable('volunteer_roles', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  retired: integer({ mode: 'boolean' }).notNull().default(false),
  /** How many people fill the role at one service; null is as many as want to. */
  needed: integer(),
})

/** Who offered to fill which role. */
export const volunteerSignups = sqliteTable(
  'volunteer_signups',
  {
    rsvpId: integer('rsvp_id')
      .notNull()
      .references(() => rsvps.id, { onDelete: 'cascade' }),
    roleId: integer('role_id')
      .notNull()
      .references(() => volunteerRoles.id),
  },
  (table) => [primaryKey({ columns: [table.rsvpId, table.roleId] })],
)

true satisfies Same<typeof volunteerRoles.$inferSelect, StoredVolunteerRole>
