import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Refused } from '#db/values/errors.ts'
import { languages } from '#db/values/languages.ts'
import type { MailKind } from '#db/values/mail.ts'
import { rsvps } from './rsvp.ts'

/** The messages to send, and what became of them. The text is made when it is sent. Moments are ISO 8601 in UTC. */
export const mailQueue = sqliteTable(
  'mail_queue',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Identifies the message, e.g. `reminder 12`: it is never queued twice. Contains nothing personal. */
    key: text().notNull().unique(),
    kind: text().$type<MailKind>().notNull(),
    /** What it is about, and with it the address. A prayer request also names the administrator who gets it. */
    rsvpId: integer('rsvp_id').references(() => rsvps.id, { onDelete: 'cascade' }),
    prayerId: integer('prayer_id'),
    administratorId: integer('administrator_id'),
    /** Only where no other row has it; removed once it is sent, or has failed for good. */
    address: text(),
    language: text({ enum: languages }),
    createdAt: text('created_at').notNull(),
    /** It is not sent before. */
    dueAt: text('due_at').notNull(),
    /** It is not sent from this moment on, e.g. the start of the service. */
    endsAt: text('ends_at').notNull(),
    attempts: integer().notNull().default(0),
    /** Set before the server gets the message, and removed with its reply: without one, it is unknown whether it was sent. */
    sendingAt: text('sending_at'),
    sentAt: text('sent_at'),
    /** When it was given up. */
    failedAt: text('failed_at'),
    /** Why it was given up, or the last attempt failed, without personal data. */
    failure: text({ mode: 'json' }).$type<Refused>(),
  },
  (table) => [
    index('mail_queue_due').on(table.dueAt).where(sql`sent_at IS NULL AND failed_at IS NULL`),
    index('mail_queue_rsvp').on(table.rsvpId).where(sql`rsvp_id IS NOT NULL`),
  ],
)

/** The addresses that want no messages, as a keyed hash. */
export const mailStops = sqliteTable('mail_stops', {
  addressHash: text('address_hash').primaryKey(),
  createdAt: text('created_at').notNull(),
})

/** One row: which process sends at the moment, and since when messages are due. */
export const mailState = sqliteTable(
  'mail_state',
  {
    id: integer().primaryKey().default(1),
    /** A random name of the process that sends; no other does before `leaseEndsAt`. */
    leaseHolder: text('lease_holder'),
    leaseEndsAt: text('lease_ends_at'),
    /** When a backup was restored: what was due before then may have been sent. */
    restoredAt: text('restored_at'),
  },
  (table) => [check('one_state', sql`${table.id} = 1`)],
)
