import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Random bits that all instances of a site share. A migration makes them; no export, page or call ever holds them. A
 * backup does, as it holds everything: see docs/decisions/thank-you.md for what its holder could do with them.
 */
export const secrets = sqliteTable('secrets', {
  name: text({ enum: ['submissions'] }).primaryKey(),
  /** 256 bits in hex. */
  value: text().notNull(),
})
