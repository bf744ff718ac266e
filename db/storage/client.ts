import { fillPlaceholders, type Query } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { UserError } from '#db/errors.ts'
import type { Connection, ResultSet, SharedWrite, Statement, WriteOptions } from './connection.ts'
import { DAMAGED } from './storage-error.ts'

let connection: Connection | undefined
let writable = true
let observer: (ms: number, error?: unknown) => void = () => {}

/**
 * Drizzle on the open connection. `await db.select()…` reads. `await db.batch([…])` writes, all or nothing.
 * A write awaited by itself, or `db.transaction`, is refused: on a file they can lose acknowledged rows.
 */
export const db = drizzleOn()

/**
 * As `db`, for writes that leave the same rows and give the same results when they run twice: `repeatableDb.batch([…])`
 * is sent again when a server's reply is lost.
 */
export const repeatableDb: Pick<typeof db, 'batch'> = drizzleOn({ repeatable: true })

/**
 * Writes one item of a write that is shared with all who make it at the same time. It has to be repeatable, as with
 * `repeatableDb`.
 */
export async function writeShared<Item, Result>(shared: SharedWrite<Item, Result>, item: Item): Promise<Result> {
  return observed(async () => {
    assertWritable()
    return openedDatabase().writeShared(shared, item, { repeatable: true })
  })
}

/** The statement of a query whose SQL is built once, with the values of its `sql.placeholder(name)`. */
export function preparedStatement(query: { toSQL(): Query }): (values: Record<string, unknown>) => Statement {
  let built: Query | undefined
  return (values) => {
    built ??= query.toSQL()
    return { sql: built.sql, args: fillPlaceholders(built.params, values) as string[] }
  }
}

/** Sets the connection that `db` uses. */
export function setConnection(opened: Connection): void {
  connection = opened
}

/** For operations on the database as a whole; rows are read and written with `db`. */
export function openedDatabase(): Connection {
  if (connection === undefined) throw new Error('Call openDatabase() first.')
  return connection
}

/** Closes the connection. A file first finishes the reads and writes that are queued. */
export async function closeDatabase(): Promise<void> {
  const closing = connection
  connection = undefined
  await closing?.close()
}

/** Makes the database read-only once damage is found: whatever is stored from then on would be lost with the file. */
export function refuseWrites(): void {
  writable = false
}

/** Ends `refuseWrites`, once another file has replaced the damaged one. */
export function acceptWrites(): void {
  writable = true
}

/** Whether damage was found. */
export function areWritesRefused(): boolean {
  return !writable
}

/** Tells how long each write took until it was stored, with its wait for its turn and for locks, or why it failed. */
export function observeWrites(observe: typeof observer): void {
  observer = observe
}

async function observed<Result>(write: () => Promise<Result>): Promise<Result> {
  const started = performance.now()
  try {
    const result = await write()
    observer(performance.now() - started)
    return result
  } catch (error) {
    observer(performance.now() - started, error)
    throw error
  }
}

function drizzleOn(options?: WriteOptions) {
  return drizzle(
    async (sql, params) => {
      if (!/^\s*select\b/i.test(sql)) throw new Error('Write with db.batch([…]); see docs/decisions.')
      return valuesOf(await openedDatabase().read({ sql, args: params }))
    },
    async (queries) => {
      const statements = queries.map(({ sql, params }) => ({ sql, args: params }))
      return observed(async () => {
        assertWritable()
        return (await openedDatabase().write(statements, options)).map(valuesOf)
      })
    },
  )
}

function assertWritable(): void {
  if (!writable) throw new UserError('damaged', DAMAGED)
}

function valuesOf({ rows }: ResultSet): { rows: unknown[][] } {
  return { rows: rows.map((row) => Array.from(row)) }
}
