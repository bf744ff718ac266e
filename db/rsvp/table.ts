import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { languages } from '#db/language/languages.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { ageGroups, calendarTypes, suspicions } from './schema.ts'

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
    /** Tells whether the same key came with the same body. Null in anonymized responses, and where there was no key. */
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
