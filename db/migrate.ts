import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { projectRoot } from './config/places.ts'
import { UserError } from './errors.ts'
import known from './migrations/hashes.json' with { type: 'json' }
import { OLDER_VERSION } from './other-version.ts'
import type { Connection } from './storage/connection.ts'
import type { Source } from './storage/tables.ts'

export const JOURNAL = '__drizzle_migrations'
export const MAKE_JOURNAL = `CREATE TABLE IF NOT EXISTS ${JOURNAL} (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL)`
/** The table of the migrations that only add something: see migration/table.ts. */
const ADDITIVE = 'additive_migrations'
/** The index of the migration that creates this table. Earlier versions refuse any newer one. */
const FIRST_ADDITIVE = 18
const hashes = known.map(({ hash }) => hash)

/**
 * Which version created the tables of a database. A newer version that only added something counts as `this`, and its
 * tables stay as they are; `foreign` is another program.
 */
type Version = 'none' | 'foreign' | 'older' | 'this' | 'newer'

const refusals = {
  foreign: 'This database belongs to another program and was not changed. Check DATABASE_URL.',
  older: OLDER_VERSION,
  newer: 'This database was written by a newer version. Update the site; the database was not changed.',
}

export function refusalOf(version: keyof typeof refusals): UserError {
  return new UserError('configuration', refusals[version])
}

/**
 * Applies all pending migrations in one transaction; forward only.
 * @param keepCopy called before an existing database is changed; without it only an empty one is.
 * @throws UserError 'configuration' when a newer version or another program wrote the database; it is not changed then.
 */
export async function migrate(connection: Connection, keepCopy?: () => Promise<void>): Promise<void> {
  const { version, missing } = await compare(connection)
  if (version === 'this') return
  if (version === 'older' && keepCopy !== undefined) await keepCopy()
  else if (version !== 'none') throw refusalOf(version)
  await apply(connection, missing)
}

/** Tells which version wrote the database; refuses that of another program. */
export async function readVersion(connection: Source): Promise<Exclude<Version, 'foreign'>> {
  const { version } = await compare(connection)
  if (version === 'foreign') throw refusalOf(version)
  return version
}

/** Checks a file that has replaced the opened one. */
export async function assertThisVersion(read: Connection['read']): Promise<void> {
  const other =
    'The database was replaced by one of another version. Restart the site, or put the right file in its place.'
  if ((await compare({ read })).version !== 'this') throw new UserError('unavailable', other)
}

/** Compares hashes from the build: reading and hashing every migration takes longer than opening the database. */
async function compare(connection: Source): Promise<{ version: Version; missing: string[] }> {
  // In one statement: another process creates its tables in one transaction with their journal.
  const tables = await tableNames(connection)
  const applied = tables.includes(JOURNAL) ? await hashesIn(JOURNAL, connection) : []
  const unknown = applied.filter((hash) => !hashes.includes(hash))
  // Only a version with migrations that this one does not know needs the second list.
  const additive = unknown.length > 0 && tables.includes(ADDITIVE) ? await hashesIn(ADDITIVE, connection) : []
  const isNewer = unknown.some((hash) => !additive.includes(hash))
  const missing = hashes.filter((hash) => !applied.includes(hash))
  function tellVersion(): Version {
    if (isNewer) return 'newer'
    if (applied.length === 0) return tables.length === 0 ? 'none' : 'foreign'
    return missing.length > 0 ? 'older' : 'this'
  }
  return { version: tellVersion(), missing }
}

/** The statements of the applied migrations that this version knows, and whether it knows all of them. */
export function migrationsAmong(applied: string[]): { statements: string[]; areAll: boolean } {
  const statements = readMigrations()
    .filter(({ hash }) => applied.includes(hash))
    .flatMap(({ sql }) => sql)
  return { statements, areAll: applied.every((hash) => hashes.includes(hash)) }
}

function readMigrations() {
  return readMigrationFiles({ migrationsFolder: join(projectRoot, 'db/migrations') })
}

async function tableNames({ read }: Source): Promise<string[]> {
  const sql =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*'"
  return (await read({ sql, args: [] })).rows.map((row) => String(row[0]))
}

async function hashesIn(table: string, { read }: Source): Promise<string[]> {
  const { rows } = await read({ sql: `SELECT hash FROM ${table}`, args: [] })
  return rows.map((row) => String(row[0]))
}

/** Hashes are unique: if two processes start at once, the migrations of one of them fail and change nothing. */
async function apply(connection: Connection, missing: string[]): Promise<void> {
  // Only those with a known hash: during a build, the files may already be those of a later version.
  const pending = readMigrations().filter(({ hash }) => missing.includes(hash))
  const statements = pending.flatMap(({ sql, hash, folderMillis }) => [
    ...sql.map((text) => ({ sql: text, args: [] })),
    { sql: `INSERT INTO ${JOURNAL} (hash, created_at) VALUES (?, ?)`, args: [hash, folderMillis] },
  ])
  const additive = pending
    .filter(
      ({ hash }) => known.findIndex((migration) => migration.hash === hash && migration.additive) >= FIRST_ADDITIVE,
    )
    .map(({ hash }) => ({ sql: `INSERT INTO ${ADDITIVE} (hash) VALUES (?)`, args: [hash] }))
  try {
    await connection.write((execute) => execute([{ sql: MAKE_JOURNAL, args: [] }, ...statements, ...additive]))
  } catch (error) {
    if ((await compare(connection)).version !== 'this') throw error
  }
}
