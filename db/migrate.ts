import { join } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { projectRoot } from './config/config.ts'
import { UserError } from './errors.ts'
import { newerVersionError, olderVersionError } from './other-version.ts'
import type { Connection } from './storage/connection.ts'
import { isBeingMigrated } from './transfer/staging.ts'

const JOURNAL = '__drizzle_migrations'
const FOREIGN = 'This database belongs to another program and was not changed. Check DATABASE_URL.'
const INCOMPLETE =
  'A migration to this server is running or was interrupted. Run `rsvp migrate-to` again until it is complete.'

/** Which version created the tables of a database; `foreign` for another program. */
type Version = 'none' | 'foreign' | 'older' | 'this' | 'newer'

/**
 * Applies all pending migrations in one transaction; forward only.
 * @param keepCopy called before an existing database is changed.
 * @returns whether any were pending.
 * @throws UserError 'configuration' when a newer version wrote the database, or an interrupted `migrate-to` left it
 * incomplete; it is not changed then.
 */
export async function migrate(connection: Connection, keepCopy: () => Promise<void>): Promise<boolean> {
  await assertComplete(connection)
  const { version, pending } = await compare(connection)
  if (version === 'newer') throw newerVersionError()
  if (version === 'this') return false
  if (version === 'older') await keepCopy()
  await apply(connection, pending)
  return true
}

/**
 * Creates the tables of an empty database; existing ones have to be of this version.
 * @throws UserError 'configuration' when they are not; the database is not changed then.
 */
export async function createMissingTables(connection: Connection): Promise<void> {
  await assertComplete(connection)
  const { version, pending } = await compare(connection)
  if (version === 'newer') throw newerVersionError()
  if (version === 'older') throw olderVersionError()
  if (version === 'foreign') throw new UserError('configuration', FOREIGN)
  if (version === 'none') await apply(connection, pending)
}

/**
 * Tells which version wrote the database.
 * @throws UserError 'configuration' when another program did, or it is incomplete.
 */
export async function readVersion(connection: Pick<Connection, 'read'>): Promise<Version> {
  await assertComplete(connection)
  const { version } = await compare(connection)
  if (version === 'foreign') throw new UserError('configuration', FOREIGN)
  return version
}

/**
 * Checks a file that has replaced the opened one.
 * @throws UserError 'unavailable' unless its tables are those of this version.
 */
export async function assertThisVersion(read: Connection['read']): Promise<void> {
  const other =
    'The database was replaced by one of another version. Restart the site, or put the right file in its place.'
  if ((await isBeingMigrated({ read })) || (await compare({ read })).version !== 'this') {
    throw new UserError('unavailable', other)
  }
}

/** Every migration up to this version, the oldest first. */
function knownMigrations(): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder: join(projectRoot, 'db/migrations') })
}

async function compare(connection: Pick<Connection, 'read'>): Promise<{ version: Version; pending: MigrationMeta[] }> {
  const known = knownMigrations()
  // Checked first: tables that another process creates in between come in one transaction with their journal.
  const isEmpty = !(await hasTables(connection))
  const applied = await appliedMigrations(connection)
  const hashes = new Set(known.map((migration) => migration.hash))
  const pending = known.slice(applied.length)
  if (applied.some((hash) => !hashes.has(hash))) return { version: 'newer', pending: [] }
  if (applied.length === 0) return { version: isEmpty ? 'none' : 'foreign', pending }
  return { version: pending.length > 0 ? 'older' : 'this', pending }
}

async function assertComplete(connection: Pick<Connection, 'read'>): Promise<void> {
  if (await isBeingMigrated(connection)) throw new UserError('configuration', INCOMPLETE)
}

async function hasTables({ read }: Pick<Connection, 'read'>): Promise<boolean> {
  const sql =
    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*'"
  return (await read({ sql, args: [] })).rows.length > 0
}

async function appliedMigrations({ read }: Pick<Connection, 'read'>): Promise<string[]> {
  const table = await read({ sql: 'SELECT name FROM sqlite_master WHERE name = ?', args: [JOURNAL] })
  if (table.rows.length === 0) return []
  const { rows } = await read({ sql: `SELECT hash FROM ${JOURNAL} ORDER BY created_at`, args: [] })
  return rows.map((row) => String(row[0]))
}

/** Hashes are unique: if two processes start at once, the migrations of one of them fail and change nothing. */
async function apply(connection: Connection, pending: MigrationMeta[]): Promise<void> {
  const journal = `CREATE TABLE IF NOT EXISTS ${JOURNAL} (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL)`
  const statements = pending.flatMap(({ sql, hash, folderMillis }) => [
    ...sql.map((text) => ({ sql: text, args: [] })),
    { sql: `INSERT INTO ${JOURNAL} (hash, created_at) VALUES (?, ?)`, args: [hash, folderMillis] },
  ])
  try {
    await connection.write([{ sql: journal, args: [] }, ...statements])
  } catch (error) {
    if ((await compare(connection)).version !== 'this') throw error
  }
}
