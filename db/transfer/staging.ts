import { randomUUID } from 'node:crypto'
import { UserError } from '#db/errors.ts'
import type { Connection, Statement } from '#db/storage/connection.ts'
import { listTables, quoteIdentifier, SEQUENCE, type Table } from '#db/storage/tables.ts'

/**
 * The table, with one row, that marks a server to which a database is being migrated; it is also the prefix of the staging
 * tables. The name is part of the stored format: an interrupted run of an earlier version has to be recognized.
 */
export const MARKER = 'arriving'
const CREATE_MARKER = `CREATE TABLE ${MARKER} (run TEXT NOT NULL, is_sound INTEGER CHECK (is_sound))`
/** A site is unused while these find nothing: every change leaves a line in the audit, and a start that of its code. */
const USES = [
  ...['rsvps', 'administrators', 'passwords', 'sessions'].map((table) => [table, ''] as const),
  ['audit_entries', "WHERE action <> 'code made'"] as const,
]
/** The timeout of the commit, in ms: longer than a request's, because one transaction copies all rows out of staging. */
const COMMIT_TIMEOUT_MS = 120_000

/** The staging table for a table: no site reads it. */
export function stagingName(table: Table): string {
  return `${MARKER}_${table.name}`
}

/**
 * Creates empty staging tables, and drops those of an earlier run.
 * @returns the id of this run.
 * @throws UserError 'already-exists' when the server holds more than an unused site.
 */
export async function createStagingTables(target: Connection, tables: Table[]): Promise<string> {
  await assertUnused(target, tables)
  const run = randomUUID()
  const names = new Set([...(await listStagingTables(target)), MARKER, ...tables.map(stagingName)])
  const statements = [
    ...Array.from(names, (name) => statement(`DROP TABLE IF EXISTS ${quoteIdentifier(name)}`)),
    statement(CREATE_MARKER),
    statement(`INSERT INTO ${MARKER} (run) VALUES (?)`, [run]),
    // Without column types, so that no value is converted.
    ...tables.map((table) => statement(`CREATE TABLE ${quoteIdentifier(stagingName(table))} (${columnsOf(table)})`)),
  ]
  await target.batch(statements)
  return run
}

/**
 * Replaces the server's tables with the staged ones in one transaction.
 * @param counts how many rows each table must have afterwards.
 * @throws UserError 'already-exists' when the server has been used meanwhile; nothing changes then.
 */
export async function commitStaging(
  target: Connection,
  { run, tables, counts, others }: { run: string; tables: Table[]; counts: Map<Table, number>; others: string[] },
): Promise<void> {
  const present = new Set((await listTables(target)).map(({ name }) => name))
  const made = tables.filter(({ name }) => name !== SEQUENCE)
  const unused = usesAmong([...present]).map((use) => ` AND NOT ${use}`)
  const statements = [
    statement(`UPDATE ${MARKER} SET is_sound = (run = ?)${unused.join('')}`, [run]),
    ...made
      .filter(({ name }) => present.has(name))
      .map(({ name }) => statement(`DROP TABLE ${quoteIdentifier(name)}`))
      .reverse(),
    ...made.map(({ sql }) => statement(sql)),
    ...tables.flatMap((table) => moveRows(table, counts.get(table) ?? 0)),
    ...others.map((sql) => statement(sql)),
    ...tables.map((table) => statement(`DROP TABLE ${quoteIdentifier(stagingName(table))}`)),
    statement(`DROP TABLE ${MARKER}`),
  ]
  try {
    const deadline = performance.now() + COMMIT_TIMEOUT_MS
    await target.batch(statements, { deadline })
  } catch (error) {
    // Repeating a commit that succeeded fails, because the staging tables are gone.
    if ((await listStagingTables(target)).includes(MARKER)) {
      await assertUnused(target, tables)
      throw error
    }
  }
}

function moveRows(table: Table, count: number): Statement[] {
  const name = quoteIdentifier(table.name)
  const columns = ['rowid', columnsOf(table)].join(', ')
  return [
    // SQLite has already filled it while the rows of the other tables were inserted.
    ...(table.name === SEQUENCE ? [statement(`DELETE FROM ${name}`)] : []),
    statement(
      `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${quoteIdentifier(stagingName(table))} ORDER BY rowid`,
    ),
    statement(`UPDATE ${MARKER} SET is_sound = (SELECT count(*) FROM ${name}) = ?`, [count]),
  ]
}

async function assertUnused(target: Connection, tables: Table[]): Promise<void> {
  const present = (await listTables(target)).map(({ name }) => name).filter((name) => !isStagingName(name))
  const foreign = present.filter((name) => !tables.some((table) => table.name === name))
  const { rows } = await target.read({ sql: `SELECT ${['0', ...usesAmong(present)].join(' OR ')}`, args: [] })
  if (foreign.length === 0 && rows[0]?.[0] === 0) return
  await dropStagingTables(target, tables)
  throw new UserError(
    'already-exists',
    'The server is not empty; nothing on it was changed. Name an empty server, or empty this one first.',
  )
}

function usesAmong(present: string[]): string[] {
  return USES.filter(([table]) => present.includes(table)).map(
    ([table, condition]) => `EXISTS (SELECT 1 FROM ${table} ${condition})`,
  )
}

/**
 * Drops staging tables on a server that is in use: they can never be committed, and no site starts while they exist.
 * Another program may have a table named like the marker, but not one with the same definition.
 */
async function dropStagingTables(target: Connection, tables: Table[]): Promise<void> {
  const { rows } = await target.read({ sql: 'SELECT 1 FROM sqlite_master WHERE sql = ?', args: [CREATE_MARKER] })
  if (rows.length === 0) return
  const names = [...tables.map(stagingName), MARKER]
  await target.batch(names.map((name) => statement(`DROP TABLE IF EXISTS ${quoteIdentifier(name)}`)))
}

async function listStagingTables(target: Connection): Promise<string[]> {
  return (await listTables(target)).map(({ name }) => name).filter(isStagingName)
}

function isStagingName(name: string): boolean {
  return name === MARKER || name.startsWith(`${MARKER}_`)
}

function columnsOf({ columns }: Table): string {
  return columns.map(quoteIdentifier).join(', ')
}

function statement(sql: string, args: (string | number)[] = []): Statement {
  return { sql, args }
}
