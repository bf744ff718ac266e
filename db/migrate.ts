import { join } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { projectRoot } from './config.ts'
import type { Connection } from './connection.ts'
import { UserError } from './errors.ts'
import { isArriving } from './transfer/arrival.ts'

const JOURNAL = '__drizzle_migrations'
const NEWER = 'This database was written by a newer version. Update the site; the database was not touched.'

/**
 * Brings the tables up to date: forward only, all that is new or nothing of it.
 * @param keepCopy called before anything that is stored is changed; not where nothing is stored yet.
 * @throws UserError 'configuration' when the database was written by a newer version, or is not complete yet; it is left
 * untouched.
 */
export async function migrate(connection: Connection, keepCopy: () => Promise<void>): Promise<void> {
  const { pending, applied } = await compare(connection)
  if (pending.length === 0) return
  if (applied > 0) await keepCopy()
  await apply(connection, pending)
}

/**
 * For a file that somebody put in the place of the one that was opened.
 * @throws UserError 'unavailable' unless its tables are exactly those of this version.
 */
export async function refuseOtherVersion(read: Connection['read']): Promise<void> {
  const other =
    'The database was replaced by one of another version. Restart the site, or put the right one in its place.'
  try {
    const { pending } = await compare({ read })
    if (pending.length === 0) return
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
  throw new UserError('unavailable', other)
}

/** Whether this is what `migrate` throws where a newer version wrote. */
export function isNewer(error: unknown): boolean {
  return error instanceof UserError && error.message === NEWER
}

/** Every version of the tables up to this one, the oldest first. */
export function knownMigrations(): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder: join(projectRoot, 'db/migrations') })
}

async function compare(connection: Pick<Connection, 'read'>): Promise<{ pending: MigrationMeta[]; applied: number }> {
  const known = knownMigrations()
  if (await isArriving(connection)) {
    throw new UserError(
      'configuration',
      'A database is being brought to this server, or was and is not complete. Run `rsvp migrate-to` again to its end.',
    )
  }
  const applied = await appliedMigrations(connection)
  const hashes = new Set(known.map((migration) => migration.hash))
  if (applied.some((hash) => !hashes.has(hash))) {
    throw new UserError('configuration', NEWER)
  }
  return { pending: known.slice(applied.length), applied: applied.length }
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
    const { pending: left } = await compare(connection)
    if (left.length > 0) throw error
  }
}
