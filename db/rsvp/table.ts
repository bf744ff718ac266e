import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Same } from '../same.ts'
import { calendarTypes, type StoredRsvp, suspicions } from './schema.ts'

export const rsvps = sqliteTable('rsvps', {
  /** Never used again after a deletion, so that an old link cannot name a new person. */
  id: integer().primaryKey({ autoIncrement: true }),
  /** The idempotency key of the submission, or a random one. Child rows find their response by it. */
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
  /** The same, once somebody deleted it: it can be restored until it is erased. */
  deletedAt: text('deleted_at'),
  /** Made from the name, for strangers. Missing where the answer is older than this column. */
  publicName: text('public_name'),
  suspicion: text({ enum: suspicions }),
})

type Row = Omit<typeof rsvps.$inferSelect, 'key' | 'publicName'>
true satisfies Same<Row, Omit<StoredRsvp, 'familyMembers' | 'volunteerSignups'>>
