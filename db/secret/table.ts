import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Random bits that all instances of a site share, created by a migration. No export, page or call ever contains them. A
 * backup does, as it contains everything: see docs/decisions/thank-you.md for what its holder could do with them.
 */
export const secrets = sqliteTable('secrets', {
  name: text({ enum: ['submissions'] }).primaryKey(),
  /** 256 bits in hex. */
  value: text().notNull(),
})
