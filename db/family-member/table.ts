import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { rsvps } from '#db/rsvp/table.ts'
import type { Same } from '#db/same.ts'
import { type AgeGroup, ageGroups, type FamilyMember } from './schema.ts'

export const familyMembers = sqliteTable(
  'family_members',
  {
    rsvpId: integer('rsvp_id')
      .notNull()
      .references(() => rsvps.id, { onDelete: 'cascade' }),
    /** The place in the list as it was sent, from 0. With the response it names the row, so that a retry adds nothing. */
    position: integer().notNull(),
    name: text().notNull(),
    age: text({ enum: ageGroups }),
    attending: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.rsvpId, table.position] })],
)

type Row = Omit<typeof familyMembers.$inferSelect, 'rsvpId' | 'position'>
true satisfies Same<Row, Omit<FamilyMember, 'age'> & { age: AgeGroup | null }>
