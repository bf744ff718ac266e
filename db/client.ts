import type { ResultSet } from '@libsql/client'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Connection } from './connection.ts'
import { UserError } from './errors.ts'
import { migrate } from './migrate.ts'

let connection: Connection | undefined

/**
 * Drizzle laid over the two doors. `await db.select()…` reads. `await db.batch([…])` writes, all or nothing.
 * A write that is awaited by itself, or db.transaction, is refused: on a file they can lose acknowledged rows.
 */
export const db = drizzle(
  async (sql, params) => {
    if (!/^\s*select\b/i.test(sql)) throw new Error('Write with db.batch([…]); see docs/decisions.')
    return valuesOf(await opened().read({ sql, args: params }))
  },
  async (queries) => {
    const results = await opened().write(queries.map(({ sql, params }) => ({ sql, args: params })))
    return results.map(valuesOf)
  },
)

type Opening = {
  /** The token of a libSQL server. */
  authToken?: string | undefined
  /** Refuse a file that is not there yet, instead of making it. */
  mustExist?: boolean
}

/**
 * Opens the database and brings its tables up to date.
 * @param url absolute `file:` path, or the address of a libSQL server.
 * @throws UserError 'configuration' when the file is no usable database, 'busy' when somebody else keeps it locked,
 * 'unavailable' when the server does not answer.
 */
export async function openDatabase(url: string, opening: Opening = {}): Promise<void> {
  try {
    connection = await connect(url, opening)
    await migrate(connection)
    await connection.keepPrivate()
  } catch (error) {
    await closeDatabase()
    if (error instanceof UserError && (error.code === 'configuration' || error.code === 'busy')) throw error
    throw new UserError(
      // A server may be back in a moment; a file that cannot be used stays so.
      url.startsWith('file:') ? 'configuration' : 'unavailable',
      `There is no usable database at ${withoutSecrets(url)} (${reason(error)}). Check DATABASE_URL.`,
    )
  }
}

/** Waits for the writes under way, then lets go of the database. */
export async function closeDatabase(): Promise<void> {
  const closing = connection
  connection = undefined
  await closing?.close()
}

/** Takes from a file what is left of erased rows. The site waits meanwhile: about a second for 100,000 responses. */
export async function rewriteDatabase(): Promise<void> {
  await opened().rewrite()
}

async function connect(url: string, { authToken, mustExist = false }: Opening): Promise<Connection> {
  if (url.startsWith('file:')) {
    const { openLocal } = await import('./local.ts')
    return openLocal(url.slice('file:'.length), mustExist)
  }
  const { openRemote } = await import('./remote.ts')
  return openRemote(url, authToken)
}

function opened(): Connection {
  if (connection === undefined) throw new Error('Call openDatabase() first.')
  return connection
}

function valuesOf({ rows }: ResultSet): { rows: unknown[][] } {
  return { rows: rows.map((row) => Array.from(row)) }
}

function reason(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : 'unknown'
}

function withoutSecrets(url: string): string {
  return url.startsWith('file:') ? url.slice('file:'.length) : new URL(url).origin
}
