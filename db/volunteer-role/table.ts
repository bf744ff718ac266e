import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const volunteerRoles = sqliteTable('volunteer_roles', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  retired: integer({ mode: 'boolean' }).notNull().default(false),
  needed: integer(),
})
