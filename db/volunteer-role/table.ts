import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const volunteerRoles = sqliteTable('volunteer_roles', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  retired: integer({ mode: 'boolean' }).notNull().default(false),
  /** How many people fill the role at one service; null is as many as want to. */
  needed: integer(),
})
