import type { ResultSet } from '@libsql/client'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { UserError } from '#db/errors.ts'
import type { Connection } from './connection.ts'
import { DAMAGED } from './storage-error.ts'

let connection: Connection | undefined
let writable = true

/**
 * Drizzle on the open connection. `await db.select()…` reads. `await db.batch([…])` writes, all or nothing.
 * A write that is awaited by itself, or db.transaction, is refused: on a file they can lose acknowledged rows.
 */
export const db = drizzle(
  async (sql, params) => {
    if (!/^\s*select\b/i.test(sql)) throw new Error('Write with db.batch([…]); see docs/decisions.')
    return valuesOf(await openedDatabase().read({ sql, args: params }))
  },
  async (queries) => {
    if (!writable) throw new UserError('damaged', DAMAGED)
    const results = await openedDatabase().write(queries.map(({ sql, params }) => ({ sql, args: params })))
    return results.map(valuesOf)
  },
)

/** The connection on which `db` works from now on. */
export function setConnection(opened: Connection): void {
  connection = opened
}

/** For what concerns the database as a whole; rows are read and written with `db`. */
export function openedDatabase(): Connection {
  if (connection === undefined) throw new Error('Call openDatabase() first.')
  return connection
}

/** Waits for the writes under way, then closes the connection. */
export async function closeDatabase(): Promise<void> {
  const closing = connection
  connection = undefined
  await closing?.close()
}

/** After damage was found: everything can still be read, but nothing more is stored that would be lost with the file. */
export function refuseWrites(): void {
  writable = false
}

/** After another file took the place of the damaged one. */
export function acceptWrites(): void {
  writable = true
}

function valuesOf({ rows }: ResultSet): { rows: unknown[][] } {
  return { rows: rows.map((row) => Array.from(row)) }
}
