import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { auditActions } from './schema.ts'

/** What administrators did. It names things by their ids and never contains a name, an address or a text. */
export const auditEntries = sqliteTable('audit_entries', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** ISO 8601 in UTC with milliseconds. */
  at: text().notNull(),
  /** Whose act it was; null for the terminal, open mode, visitors and the site itself. */
  administratorId: integer('administrator_id'),
  /** `session 12`, `terminal`, `open mode`, `visitor` (signing in), or `site` for automatic acts. */
  actor: text().notNull(),
  action: text({ enum: auditActions }).notNull(),
  /** The object of the act: the id of a response or a role, or features with their new state. */
  subject: text().notNull(),
})
