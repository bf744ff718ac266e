import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Client, ResultSet } from '@libsql/client'
import { createClient } from '@libsql/client/sqlite3'
import type { Statement } from './connection.ts'

/**
 * SQLite's own busy timeout, in ms. It blocks the event loop, so it has to be short; the queue retries for longer
 * without blocking.
 */
const BUSY_TIMEOUT_MS = 20

/**
 * Durability, measured: of the journal modes, TRUNCATE with FULL lost nothing in 75 power cuts; WAL can corrupt the
 * database when two processes write (SQLite before 3.51.3). See docs/decisions.
 */
const SETTINGS = [
  { name: 'synchronous', wanted: 'FULL', reads: 2 },
  { name: 'journal_mode', wanted: 'TRUNCATE', reads: 'truncate' },
  { name: 'foreign_keys', wanted: 'ON', reads: 1 },
  // Overwrites erased rows, which would otherwise stay in the file until their page is reused.
  { name: 'secure_delete', wanted: 'ON', reads: 1 },
]

/** Opens a file with the driver, and creates it if it does not exist. */
export function openFile(path: string): Client {
  return createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: BUSY_TIMEOUT_MS })
}

/** Applies the settings to a connection and reads them back, because SQLite ignores unsupported values silently. */
export async function applySettings(client: Client): Promise<void> {
  for (const { name, wanted, reads } of SETTINGS) {
    await client.execute(`PRAGMA ${name}=${wanted}`)
    const { rows } = await client.execute(`PRAGMA ${name}`)
    if (rows[0]?.[0] !== reads) throw new Error(`The database did not accept ${name}=${wanted}.`)
  }
}

/**
 * Runs all of the statements in one transaction. Its COMMIT goes through `executeMultiple`, which resets a statement
 * that fails: the driver's own COMMIT does not, so one that meets a reader keeps its lock, also against this process,
 * until it is garbage collected.
 */
export async function writeTransaction(client: Client, statements: Statement[]): Promise<ResultSet[]> {
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
 * Reads an existing file without changing it: no file is created, no setting applied, no lock waited for. Returns no
 * rows if a crash left a journal behind, because reading would then roll it back, which is a write.
 */
export async function readWithoutRecovery(file: string, sql: string): Promise<unknown[]> {
  const journal = await stat(`${file}-journal`).catch(() => undefined)
  if (!(await stat(file)).isFile() || (journal !== undefined && journal.size > 0)) return []
  const client = openFile(file)
  try {
    return (await client.execute(sql)).rows
  } finally {
    client.close()
  }
}
