import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Client, ResultSet } from '@libsql/client'
import { createClient } from '@libsql/client/sqlite3'
import type { Statement } from './connection.ts'

/**
 * How long SQLite may wait for a lock by itself, in ms. It waits on the main thread, so it must be short;
 * the longer wait is the queue's, which blocks nobody.
 */
const BLOCKING_WAIT_MS = 20

/**
 * What survives a power cut and a second process, measured: of the journal modes, TRUNCATE with FULL lost nothing
 * in 75 cuts; WAL corrupts when two processes write (SQLite before 3.51.3). See docs/decisions.
 */
const SETTINGS = [
  { name: 'synchronous', wanted: 'FULL', reads: 2 },
  { name: 'journal_mode', wanted: 'TRUNCATE', reads: 'truncate' },
  { name: 'foreign_keys', wanted: 'ON', reads: 1 },
  // What is erased is overwritten: otherwise it would stay in the file until its page is used again.
  { name: 'secure_delete', wanted: 'ON', reads: 1 },
]

/** The driver on a file, which it makes where there is none. */
export function openFile(path: string): Client {
  return createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: BLOCKING_WAIT_MS })
}

/** Makes the settings of a connection, and reads them back: SQLite is silent about what it does not accept. */
export async function applySettings(client: Client): Promise<void> {
  for (const { name, wanted, reads } of SETTINGS) {
    await client.execute(`PRAGMA ${name}=${wanted}`)
    const { rows } = await client.execute(`PRAGMA ${name}`)
    if (rows[0]?.[0] !== reads) throw new Error(`The database did not accept ${name}=${wanted}.`)
  }
}

/**
 * All of the statements in one transaction. A COMMIT that meets a reader is never reset by the driver, and what it
 * holds keeps everybody from writing, this process too, until it is garbage collected. What runs without values is.
 */
export async function writeTogether(client: Client, statements: Statement[]): Promise<ResultSet[]> {
  const transaction = await client.transaction('write')
  try {
    const results = await transaction.batch(statements)
    await transaction.executeMultiple('COMMIT')
    return results
  } finally {
    transaction.close()
  }
}

/**
 * Reads a file that is there and at rest, as it is: nothing is made, settled or repaired for it, and a writer is not
 * waited for. Answers no rows where a crash left a journal behind, because who reads then repairs, which is a write.
 */
export async function readAtRest(file: string, sql: string): Promise<unknown[]> {
  const journal = await stat(`${file}-journal`).catch(() => undefined)
  if (!(await stat(file)).isFile() || (journal !== undefined && journal.size > 0)) return []
  const client = openFile(file)
  try {
    return (await client.execute(sql)).rows
  } finally {
    client.close()
  }
}
