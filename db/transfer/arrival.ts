import { randomUUID } from 'node:crypto'
import { UserError } from '#db/errors.ts'
import type { Connection, Statement } from '#db/storage/connection.ts'
import { listTables, quoted, SEQUENCE, type Source, type Table } from '#db/storage/tables.ts'

/** The table that is there, with one row, while a database is brought to a server. */
const ARRIVAL = 'arriving'
const MAKE_ARRIVAL = `CREATE TABLE ${ARRIVAL} (run TEXT NOT NULL, is_sound INTEGER CHECK (is_sound))`
/** Nobody has used a site as long as nothing is in these: whatever anybody changes leaves a line in the audit. */
const TRACES = ['rsvps', 'audit_entries', 'passwords', 'sessions']
/** How long the last step may take: the server does it alone, in one transaction. */
const COMMIT_TIMEOUT_MS = 120_000

/** What a row is until everything has arrived: beside the table it is for, where no site looks. */
export function arrivingName(table: Table): string {
  return `${ARRIVAL}_${table.name}`
}

/**
 * Makes room for the tables beside what is there; what an earlier try has left goes away.
 * @returns what tells this try from others.
 * @throws UserError 'already-exists' when the server holds more than a site makes that nobody has used yet.
 */
export async function beginArrival(target: Connection, tables: Table[]): Promise<string> {
  await refuseUsed(target, tables)
  const run = randomUUID()
  const names = new Set([...(await listArriving(target)), ARRIVAL, ...tables.map(arrivingName)])
  await target.write(
    [
      ...Array.from(names, (name) => statement(`DROP TABLE IF EXISTS ${quoted(name)}`)),
      statement(MAKE_ARRIVAL),
      statement(`INSERT INTO ${ARRIVAL} (run) VALUES (?)`, [run]),
      // Without types, so that every value stays what it is.
      ...tables.map((table) => statement(`CREATE TABLE ${quoted(arrivingName(table))} (${columnsOf(table)})`)),
    ],
    { repeatable: true },
  )
  return run
}

/**
 * Puts what has arrived in the place of what was there, in one step.
 * @param counts how many rows each table must have then.
 * @throws UserError 'already-exists' when somebody has used the server meanwhile; then everything stays as it is.
 */
export async function settle(
  target: Connection,
  { run, tables, counts, others }: { run: string; tables: Table[]; counts: Map<Table, number>; others: string[] },
): Promise<void> {
  const present = new Set((await listTables(target)).map(({ name }) => name))
  const made = tables.filter(({ name }) => name !== SEQUENCE)
  const untouched = TRACES.filter((name) => present.has(name)).map((name) => ` AND NOT EXISTS (SELECT 1 FROM ${name})`)
  const statements = [
    statement(`UPDATE ${ARRIVAL} SET is_sound = (run = ?)${untouched.join('')}`, [run]),
    ...made
      .filter(({ name }) => present.has(name))
      .map(({ name }) => statement(`DROP TABLE ${quoted(name)}`))
      .reverse(),
    ...made.map(({ sql }) => statement(sql)),
    ...tables.flatMap((table) => moveRows(table, counts.get(table) ?? 0)),
    ...others.map((sql) => statement(sql)),
    ...tables.map((table) => statement(`DROP TABLE ${quoted(arrivingName(table))}`)),
    statement(`DROP TABLE ${ARRIVAL}`),
  ]
  try {
    await target.write(statements, { repeatable: true, deadline: performance.now() + COMMIT_TIMEOUT_MS })
  } catch (error) {
    // Sent a second time it finds nothing to do any more, which fails.
    if (await isArriving(target)) {
      await refuseUsed(target, tables)
      throw error
    }
  }
}

/** Whether a database is just being brought to this one, or was and is not complete. */
export async function isArriving({ read }: Source): Promise<boolean> {
  const { rows } = await read({ sql: 'SELECT 1 FROM sqlite_master WHERE name = ?', args: [ARRIVAL] })
  return rows.length > 0
}

function moveRows(table: Table, count: number): Statement[] {
  const name = quoted(table.name)
  const columns = ['rowid', columnsOf(table)].join(', ')
  return [
    // What SQLite has written there by itself, for the rows of the other tables.
    ...(table.name === SEQUENCE ? [statement(`DELETE FROM ${name}`)] : []),
    statement(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${quoted(arrivingName(table))} ORDER BY rowid`),
    statement(`UPDATE ${ARRIVAL} SET is_sound = (SELECT count(*) FROM ${name}) = ?`, [count]),
  ]
}

async function refuseUsed(target: Connection, tables: Table[]): Promise<void> {
  const present = (await listTables(target)).map(({ name }) => name).filter((name) => !isArrivingName(name))
  const foreign = present.filter((name) => !tables.some((table) => table.name === name))
  const traces = TRACES.filter((name) => present.includes(name)).map((name) => `EXISTS (SELECT 1 FROM ${name})`)
  const { rows } = await target.read({ sql: `SELECT ${['0', ...traces].join(' OR ')}`, args: [] })
  if (foreign.length === 0 && rows[0]?.[0] === 0) return
  await giveUp(target, tables)
  throw new UserError(
    'already-exists',
    'The server holds something already, and nothing of it was changed. Give an empty one, or empty it first.',
  )
}

/**
 * What is on its way to a server that somebody uses can never arrive, and as long as it is there no site starts. Others
 * may have a table with this name, but not one that was made like that.
 */
async function giveUp(target: Connection, tables: Table[]): Promise<void> {
  const { rows } = await target.read({ sql: 'SELECT 1 FROM sqlite_master WHERE sql = ?', args: [MAKE_ARRIVAL] })
  if (rows.length === 0) return
  const names = [...tables.map(arrivingName), ARRIVAL]
  await target.write(
    names.map((name) => statement(`DROP TABLE IF EXISTS ${quoted(name)}`)),
    { repeatable: true },
  )
}

async function listArriving({ read }: Source): Promise<string[]> {
  const { rows } = await read({ sql: "SELECT name FROM sqlite_master WHERE type = 'table'", args: [] })
  return rows.map((row) => String(row.name)).filter(isArrivingName)
}

function isArrivingName(name: string): boolean {
  return name === ARRIVAL || name.startsWith(`${ARRIVAL}_`)
}

function columnsOf({ columns }: Table): string {
  return columns.map(quoted).join(', ')
}

function statement(sql: string, args: (string | number)[] = []): Statement {
  return { sql, args }
}
