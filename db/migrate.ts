import { join } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { projectRoot } from './config.ts'
import type { Connection } from './connection.ts'
import { UserError } from './errors.ts'

const JOURNAL = '__drizzle_migrations'

/**
 * Brings the tables up to date: forward only, each migration whole or not at all.
 * @throws UserError 'configuration' when the database was written by a newer version; it is left untouched.
 */
export async function migrate(connection: Connection): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: join(projectRoot, 'db/migrations') })
  const applied = await appliedMigrations(connection)
  const hashes = new Set(known.map((migration) => migration.hash))
  if (applied.some((hash) => !hashes.has(hash))) {
    throw new UserError(
      'configuration',
      'This database was written by a newer version. Update the site; the database was not touched.',
    )
  }
  for (const migration of known.slice(applied.length)) await apply(connection, migration)
}

async function appliedMigrations(connection: Connection): Promise<string[]> {
  const table = await connection.read({ sql: 'SELECT name FROM sqlite_master WHERE name = ?', args: [JOURNAL] })
  if (table.rows.length === 0) return []
  const { rows } = await connection.read({ sql: `SELECT hash FROM ${JOURNAL} ORDER BY created_at`, args: [] })
  return rows.map((row) => String(row.hash))
}

/** The hash is unique, so that of two processes starting at once only one applies it. */
async function apply(connection: Connection, migration: MigrationMeta): Promise<void> {
  const statements = [
    `CREATE TABLE IF NOT EXISTS ${JOURNAL} (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL)`,
    ...migration.sql,
  ].map((sql) => ({ sql, args: [] }))
  const record = {
    sql: `INSERT INTO ${JOURNAL} (hash, created_at) VALUES (?, ?)`,
    args: [migration.hash, migration.folderMillis],
  }
  try {
    await connection.write([...statements, record])
  } catch (error) {
    const now = await appliedMigrations(connection)
    if (!now.includes(migration.hash)) throw error
  }
}
