import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { languages } from '#db/values/languages.ts'
import { audiences } from '#db/values/prayer.ts'
import { ageGroups, calendarTypes, type Rsvp, suspicions } from '#db/values/rsvp.ts'

export const volunteerRoles = sqliteTable('volunteer_roles', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  retired: integer({ mode: 'boolean' }).notNull().default(false),
  needed: integer(),
})

export const rsvps = sqliteTable(
  'rsvps',
  {
    /** Never used again after a deletion, so that an old link cannot name a new person. */
    id: integer().primaryKey({ autoIncrement: true }),
    /** Identifies the request: a digest of its idempotency key, or random bits. Child rows find their response by it. */
    key: text().notNull().unique(),
    name: text().notNull(),
    email: text().notNull(),
    phone: text(),
    message: text(),
    attending: integer({ mode: 'boolean' }).notNull(),
    addToCalendar: integer('add_to_calendar', { mode: 'boolean' }).notNull(),
    calendarType: text('calendar_type', { enum: calendarTypes }),
    /** ISO 8601 in UTC with milliseconds, so that the text sorts by time and reads the same in every tool. */
    createdAt: text('created_at').notNull(),
    /** When it was deleted, in the same format; it can be restored until it is erased. */
    deletedAt: text('deleted_at'),
    /** The id of the RSVP that a merge kept instead of this one; null unless a merge deleted it. */
    mergedInto: integer('merged_into'),
    /** `identityOf` the name, which SQL cannot tell; null once it is anonymous. */
    identity: text(),
    suspicion: text({ enum: suspicions }),
    /** By which a retry is told from another request with the same key. Null in anonymized responses, and where there was no key. */
    bodyHash: text('body_hash'),
    /** The day of the service that it is for, e.g. `2026-11-21`, in the time zone of the schedule. */
    serviceDate: text('service_date').notNull(),
    /** The last change, by its sender or an administrator, ISO 8601 in UTC. No two changes have the same moment. */
    changedAt: text('changed_at'),
    /** SHA-256 of the secret in the private link of its sender. */
    linkHash: text('link_hash').unique(),
    /** Whether an administrator has changed its address: links made since then hide its prayer request. */
    addressChanged: integer('address_changed', { mode: 'boolean' }).notNull().default(false),
    /** Set when retention removes the fields by which superseded RSVPs are found, so that it is not counted again. */
    superseded: integer({ mode: 'boolean' }).notNull().default(false),
    /** The standing RSVP that it was written from, or began; it stays when that one is erased. */
    standingId: integer('standing_id'),
    firstVisit: integer('first_visit', { mode: 'boolean' }).notNull().default(false),
    /** Whether its sender wants to be reminded by mail. */
    remind: integer({ mode: 'boolean' }).notNull().default(false),
    /** In which its sender reads the site. */
    language: text({ enum: languages }),
  },
  (table) => [
    index('rsvps_service_date').on(table.serviceDate),
    // Finds duplicates without reading the rows, so it contains all columns of the query, including deletedAt.
    index('rsvps_same_email')
      .on(table.serviceDate, sql`email COLLATE NOCASE`, table.deletedAt)
      .where(sql`deleted_at IS NULL AND email <> ''`),
    index('rsvps_standing').on(table.standingId, table.serviceDate).where(sql`standing_id IS NOT NULL`),
    index('rsvps_superseded').on(table.serviceDate).where(sql`superseded`),
  ],
)

/** The prefix of a digest of a key. A key from a browser cannot contain its blank. */
export const DIGESTED_KEY = 'digest '

/** The prefix of the keys of samples. */
export const SAMPLE_KEY = 'sample '

/** The digests of the keys of erased responses, written by a trigger. They contain nothing personal. */
export const erasedKeys = sqliteTable('erased_keys', { key: text().primaryKey() })

/** Who comes along with the sender of an RSVP. */
export const familyMembers = sqliteTable(
  'family_members',
  {
    rsvpId: integer('rsvp_id')
      .notNull()
      .references(() => rsvps.id, { onDelete: 'cascade' }),
    /** The place in the list as sent, from 0. Part of the primary key, so that a retry adds nothing. */
    position: integer().notNull(),
    name: text().notNull(),
    age: text({ enum: ageGroups }),
    attending: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.rsvpId, table.position] })],
)

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
  /** The same as `seenAt` if the household has ended it by its link: only then can the link undo that. */
  endedAt: text('ended_at'),
  /** As of an RSVP: of one of its weeks, an administrator has changed the address. */
  addressChanged: integer('address_changed', { mode: 'boolean' }).notNull().default(false),
  /** Rises when the household revokes its calendar: the address of the earlier one never works again. */
  feedRevision: integer('feed_revision').notNull().default(0),
})

export type Standing = typeof standingRsvps.$inferSelect

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
