import { AsyncLocalStorage } from 'node:async_hooks'
import { SQLitePreparedQuery } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { DAMAGED, UserError } from '#db/values/errors.ts'
import type { Connection, Execute, ResultSet, Statement, WriteOptions } from './connection.ts'

let connection: Connection | undefined
let isDamaged = false

/** Executes statements in the current transaction. */
const inTransaction = new AsyncLocalStorage<Execute>()

/**
 * Drizzle would wrap each error in one whose message contains the bound values, which may be personal. Errors of the
 * driver contain none. This replaces a method of drizzle 0.45; client.test.ts fails if it is gone.
 */
Object.assign(SQLitePreparedQuery.prototype, {
  queryWithCache: (_sql: string, _values: unknown[], query: () => Promise<unknown>) => query(),
})

/** Prepares each statement once, and runs it in the current transaction, if there is one. */
const drizzled = drizzle(
  async (sql, params) => {
    const [result] = await execute([{ sql, args: params }])
    return valuesOf(result)
  },
  async (queries) => {
    const results = await execute(queries.map(({ sql, params }) => ({ sql, args: params })))
    return results.map(valuesOf)
  },
)

/** For reads. Inside a transaction they see its writes. */
export const db: Pick<typeof drizzled, 'select' | 'selectDistinct' | '$count'> = drizzled

/** Awaited statements see the writes of earlier ones. `tx.batch([…])` is one request to a server. */
export type Transaction = Omit<typeof drizzled, 'transaction' | 'run' | 'all' | 'get' | 'values'>

async function execute(statements: Statement[]): Promise<ResultSet[]> {
  const executeInTransaction = inTransaction.getStore()
  if (executeInTransaction !== undefined) return executeInTransaction(statements)
  if (!statements.every(({ sql }) => /^\s*select\b/i.test(sql)))
    throw new Error('Write with transaction(…); see docs/decisions.')
  return Promise.all(statements.map((statement) => openedDatabase().read(statement)))
}

/**
 * Writes all or nothing: the writes of `work` are stored once this resolves, and undone if it throws. Transactions run
 * one at a time, also across processes; those that wait share one COMMIT. `work` runs again from the start after a lock
 * and, if it is `repeatable`, after a COMMIT without a reply, so it must do nothing but read and write the database.
 * @throws what `work` throws; UserError 'busy', 'full', 'damaged' or 'unavailable' if nothing can be stored.
 */
export async function transaction<Result>(
  work: (tx: Transaction) => Promise<Result>,
  options?: WriteOptions,
): Promise<Result> {
  // The inner one would wait for the outer one, which waits for it.
  if (inTransaction.getStore() !== undefined) throw new Error('A transaction cannot begin another one.')
  if (isDamaged) throw new UserError('damaged', DAMAGED)
  return openedDatabase().write(
    // Async, because drizzle runs a statement when it is awaited, which has to happen inside the transaction.
    (execute) => inTransaction.run(execute, async () => work(drizzled)),
    options,
  )
}

export function setConnection(opened: Connection): void {
  connection = opened
}

/** For operations on the database as a whole; rows are read and written with `db`. */
export function openedDatabase(): Connection {
  if (connection === undefined) throw new Error('Call openDatabase() first.')
  return connection
}

/** Closes the connection, for a file after the queued reads and writes. */
export async function closeDatabase(): Promise<void> {
  const closing = connection
  connection = undefined
  await closing?.close()
}

/**
 * Makes the database read-only once damage is found, because later writes would be lost with the file, until another file
 * has replaced it.
 */
export function setDamaged(damaged: boolean): void {
  isDamaged = damaged
}

function valuesOf(result: ResultSet | undefined): { rows: unknown[][] } {
  return { rows: (result?.rows ?? []).map((row) => Array.from(row)) }
}
