import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { migrationsFolder } from '#db/config/places.ts'
import type { Connection } from '#db/storage/connection.ts'
import { listSchema, type SchemaObject, type Source } from '#db/storage/tables.ts'
import { OLDER_VERSION, UserError } from '#db/values/errors.ts'

/** Which version of the site created the tables of a database; `foreign` if another program did. */
type Version = 'none' | 'foreign' | 'older' | 'this' | 'newer'

const refusals = {
  foreign: 'This database belongs to another program. It was not changed. Check DATABASE_URL.',
  older: OLDER_VERSION,
  newer: 'This database was written by a newer version. Update the site; the database was not changed.',
}

/** Drizzle's table of applied migrations. */
const JOURNAL = '__drizzle_migrations'
const CREATE_JOURNAL = `CREATE TABLE IF NOT EXISTS ${JOURNAL} (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL)`

/** The tables that ANALYZE creates, whichever tool ran it. SQLite reads them before anything else. */
const STATISTICS = ['CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)']

/** The most objects that a sentence names, and the most characters of each. */
const NAMED_MAXIMUM = 20
const NAME_LENGTH_MAXIMUM = 80

/**
 * Applies all pending migrations in one transaction; forward only.
 * @param keepCopy called before an existing database is changed; without it, only an empty database is migrated.
 * @returns the path of the copy, if one was made.
 * @throws UserError 'configuration' when a newer version or another program wrote the database, which stays unchanged.
 */
export async function migrate(connection: Connection, keepCopy?: () => Promise<string>): Promise<string | undefined> {
  const { version, missing } = await compare(connection)
  if (version === 'this') return undefined
  if (version !== 'none' && !(version === 'older' && keepCopy)) throw refusalOf(version)
  const kept = version === 'older' ? await keepCopy?.() : undefined
  await apply(connection, missing)
  return kept
}

/** @throws UserError 'configuration' for the database of another program. */
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

/**
 * Lists the objects that the migrations did not create, e.g. `trigger stay on sessions`, and those that are missing.
 * Call it before any other read or write: a trigger runs at the next write, a view or an expression at the next read.
 * @throws UserError 'configuration' for a database of another program or a newer version.
 */
export async function findForeignObjects(source: Pick<Connection, 'read' | 'isServer'>): Promise<string[]> {
  const belongsToServer = ({ type, table }: SchemaObject) => /^(table|index)$/.test(type) && table.startsWith('libsql_')
  const present = (await listSchema(source)).filter((object) => !(source.isServer && belongsToServer(object)))
  if (present.length === 0) return []
  const journal = present.find(({ name }) => name === JOURNAL)
  if (journal === undefined) throw refusalOf('foreign')
  const { schemaMadeBy } = await import('#db/storage/local-client.ts')
  // Checked first, because the next step reads it.
  if (!schemaMadeBy([CREATE_JOURNAL]).some((object) => isSame(object, journal))) return [titleOf(journal)]
  const expected = schemaMadeBy(await listAppliedStatements(source))
  const foreign = present
    .filter((object) => !expected.some((other) => isSame(other, object)))
    .filter((object) => !STATISTICS.includes(object.sql ?? ''))
  const missing = expected.filter(({ name }) => !present.some((object) => object.name === name))
  return [...foreign.map(titleOf), ...missing.map((object) => `${titleOf(object)} is missing`)]
}

/** @param database its title, which begins the sentence. */
export function foreignSentence(database: string, differences: string[]): string {
  const more = differences.length > NAMED_MAXIMUM ? [`${differences.length - NAMED_MAXIMUM} more`] : []
  const named = [...differences.slice(0, NAMED_MAXIMUM), ...more].join(', ')
  return `${database} differs from what this site creates: ${named}.`
}

/** The statements that created a database. Refuses that of a newer version or of another program. */
async function listAppliedStatements(source: Source): Promise<string[]> {
  const { version, missing } = await compare(source)
  if (version === 'foreign' || version === 'newer') throw refusalOf(version)
  const applied = readMigrations().filter(({ folderMillis }) => !missing.includes(folderMillis))
  return [CREATE_JOURNAL, ...applied.flatMap(({ sql }) => sql)]
}

/** Identifies migrations by their moments, as drizzle does. */
async function compare(connection: Source): Promise<{ version: Version; missing: number[] }> {
  // In one statement: another process creates its tables in one transaction with their journal.
  const tables = await listTableNames(connection)
  const applied = tables.includes(JOURNAL) ? await readAppliedMoments(connection) : []
  const moments = readMigrations().map(({ folderMillis }) => folderMillis)
  const missing = moments.filter((moment) => !applied.includes(moment))
  if (tables.length === 0) return { version: 'none', missing }
  if (missing.length === moments.length) return { version: 'foreign', missing }
  if (applied.length > moments.length - missing.length) return { version: 'newer', missing }
  return { version: missing.length > 0 ? 'older' : 'this', missing }
}

let migrations: MigrationMeta[] | undefined

/** The migrations of this version, read once. */
function readMigrations(): MigrationMeta[] {
  migrations ??= readMigrationFiles({ migrationsFolder })
  return migrations
}

async function listTableNames({ read }: Source): Promise<string[]> {
  const sql =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*'"
  return (await read({ sql, args: [] })).rows.map((row) => String(row[0]))
}

async function readAppliedMoments({ read }: Source): Promise<number[]> {
  const { rows } = await read({ sql: `SELECT created_at FROM ${JOURNAL}`, args: [] })
  return rows.map((row) => Number(row[0]))
}

/** Hashes are unique: if two processes start at once, the migrations of one of them fail and change nothing. */
async function apply(connection: Connection, missing: number[]): Promise<void> {
  const pending = readMigrations().filter(({ folderMillis }) => missing.includes(folderMillis))
  const statements = pending.flatMap(({ sql, hash, folderMillis }) => [
    ...sql.map((text) => ({ sql: text, args: [] })),
    { sql: `INSERT INTO ${JOURNAL} (hash, created_at) VALUES (?, ?)`, args: [hash, folderMillis] },
  ])
  try {
    await connection.write((execute) => execute([{ sql: CREATE_JOURNAL, args: [] }, ...statements]))
  } catch (error) {
    if ((await compare(connection)).version !== 'this') throw error
  }
}

function refusalOf(version: keyof typeof refusals): UserError {
  return new UserError('configuration', refusals[version])
}

function isSame(one: SchemaObject, other: SchemaObject): boolean {
  return one.type === other.type && one.name === other.name && one.table === other.table && one.sql === other.sql
}

function titleOf({ type, name, table }: SchemaObject): string {
  return `${type} ${name}${name === table ? '' : ` on ${table}`}`.slice(0, NAME_LENGTH_MAXIMUM)
}
