import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The migrations after this table that only add to what was there, by their hashes. A version that does not know them yet
 * can use the tables all the same: that is how an update can be undone without a loss.
 */
export const additiveMigrations = sqliteTable('additive_migrations', { hash: text().primaryKey() })
