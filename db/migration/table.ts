import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The hashes of later migrations that only add something. Versions that do not know them can still use the tables, so
 * that an update can be undone without a loss.
 */
export const additiveMigrations = sqliteTable('additive_migrations', { hash: text().primaryKey() })
