import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** How many people really came, one row for each service that was counted. */
export const turnouts = sqliteTable('turnouts', {
  date: text('service_date').primaryKey(),
  people: integer().notNull(),
  countedAt: text('counted_at').notNull(),
})
