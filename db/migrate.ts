import { join } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { projectRoot } from './config/config.ts'
import { UserError } from './errors.ts'
import { newerVersion, olderVersion } from './other-version.ts'
import type { Connection } from './storage/connection.ts'
import { isArriving } from './transfer/arrival.ts'

const JOURNAL = '__drizzle_migrations'
const FOREIGN = 'This database belongs to another program, and was not touched. Check DATABASE_URL.'
const INCOMPLETE =
  'A database is being brought to this server, or was and is not complete. Run `rsvp migrate-to` again to its end.'

/** Where the tables of a database stand: as this version makes them, or as another one did. */
export type Version = 'none' | 'foreign' | 'older' | 'this' | 'newer'

/**
 * Brings the tables up to date: forward only, all that is new or nothing of it.
 * @param keepCopy called before anything that is stored is changed; not where nothing is stored yet.
 * @returns whether there was anything to do.
 * @throws UserError 'configuration' when the database was written by a newer version, or is not complete yet; it is left
 * untouched.
 */
export async function migrate(connection: Connection, keepCopy: () => Promise<void>): Promise<boolean> {
  await refuseIncomplete(connection)
  const { version, pending } = await compare(connection)
  if (version === 'newer') throw newerVersion()
  if (version === 'this') return false
  if (version === 'older') await keepCopy()
  await apply(connection, pending)
  return true
}

/**
 * For whoever must not change tables: where there are none at all they are made, all others have to be of this version.
 * @throws UserError 'configuration' when they are not; the database is left untouched.
 */
export async function makeMissingTables(connection: Connection): Promise<void> {
  await refuseIncomplete(connection)
  const { version, pending } = await compare(connection)
  if (version === 'newer') throw newerVersion()
  if (version === 'older') throw olderVersion()
  if (version === 'foreign') throw new UserError('configuration', FOREIGN)
  if (version === 'none') await apply(connection, pending)
}

/**
 * For whoever takes a database as it is, whichever version has written it.
 * @throws UserError 'configuration' when it is no database of this site, or is not complete yet.
 */
export async function acceptAnyVersion(connection: Pick<Connection, 'read'>): Promise<Version> {
  await refuseIncomplete(connection)
  const { version } = await compare(connection)
  if (version === 'foreign') throw new UserError('configuration', FOREIGN)
  return version
}

/**
 * For a file that somebody put in the place of the one that was opened.
 * @throws UserError 'unavailable' unless its tables are exactly those of this version.
 */
export async function refuseOtherVersion(read: Connection['read']): Promise<void> {
  const other =
    'The database was replaced by one of another version. Restart the site, or put the right one in its place.'
  if ((await isArriving({ read })) || (await compare({ read })).version !== 'this') {
    throw new UserError('unavailable', other)
  }
}

/** Every version of the tables up to this one, the oldest first. */
export function knownMigrations(): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder: join(projectRoot, 'db/migrations') })
}

async function compare(connection: Pick<Connection, 'read'>): Promise<{ version: Version; pending: MigrationMeta[] }> {
  const known = knownMigrations()
  // First: what somebody else makes between the two comes together with its journal.
  const isEmpty = !(await hasTables(connection))
  const applied = await appliedMigrations(connection)
  const hashes = new Set(known.map((migration) => migration.hash))
  const pending = known.slice(applied.length)
  if (applied.some((hash) => !hashes.has(hash))) return { version: 'newer', pending: [] }
  if (applied.length === 0) return { version: isEmpty ? 'none' : 'foreign', pending }
  return { version: pending.length > 0 ? 'older' : 'this', pending }
}

async function refuseIncomplete(connection: Pick<Connection, 'read'>): Promise<void> {
  if (await isArriving(connection)) throw new UserError('configuration', INCOMPLETE)
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
  return rows.map((row) => String(row.hash))
}

/** A hash is unique, so that of two processes starting at once only one changes anything. */
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
