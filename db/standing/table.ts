import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { languages } from '#db/language/languages.ts'
import { type Rsvp, suspicions } from '#db/rsvp/schema.ts'

/**
 * What a household has said for every week: the RSVP of each service is written from it. Days are e.g. `2026-11-21`,
 * moments ISO 8601 in UTC.
 */
export const standingRsvps = sqliteTable('standing_rsvps', {
  /** Never used again: RSVPs keep the id once the household is forgotten or erased. */
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  /** Empty if a clerk entered it without one. */
  email: text().notNull(),
  phone: text(),
  familyMembers: text('family_members', { mode: 'json' }).$type<Rsvp['familyMembers']>().notNull(),
  /** The ids of the roles that the household would fill, where they have room. */
  volunteerRoles: text('volunteer_roles', { mode: 'json' }).$type<Rsvp['volunteerRoles']>().notNull(),
  /** Whether it wants to be reminded by mail of each service. */
  remind: integer({ mode: 'boolean' }).notNull(),
  suspicion: text({ enum: suspicions }),
  /** In which its sender reads the site. */
  language: text({ enum: languages }),
  /** The day of the first service that it is for. */
  since: text().notNull(),
  /** The day of the last service whose RSVP is written, or was left out on purpose. */
  writtenUntil: text('written_until').notNull(),
  createdAt: text('created_at').notNull(),
  /** The last time that the household said anything by its link; after a year without, it ends. */
  seenAt: text('seen_at').notNull(),
  endedAt: text('ended_at'),
  /** As of an RSVP: of one of its weeks, an administrator has changed the address. */
  addressChanged: integer('address_changed', { mode: 'boolean' }).notNull().default(false),
  /** Rises when the household revokes its calendar: the address of the earlier one never works again. */
  feedRevision: integer('feed_revision').notNull().default(0),
})

export type Standing = typeof standingRsvps.$inferSelect
