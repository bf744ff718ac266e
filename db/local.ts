import { rm, stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Client, ResultSet } from '@libsql/client'
import { createClient } from '@libsql/client/sqlite3'
import type { Connection, Statement } from './connection.ts'
import {
  identityOf,
  keepPrivate,
  makePrivateFile,
  realPathOf,
  refuseMissing,
  refuseUnusable,
  syncFile,
} from './local-file.ts'
import { announceSite } from './locks.ts'
import { openQueue } from './queue.ts'

/**
 * How long SQLite may wait for a lock by itself, in ms. It waits on the main thread, so it must be short;
 * the longer wait is the queue's, which blocks nobody.
 */
const BLOCKING_WAIT_MS = 20
/** How often it is looked whether the file is still the one that was opened, in ms. A write notices at once by itself. */
const LOOKED_EVERY_MS = 500

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

type Opening = {
  /** Refuse a file that is not there yet, instead of making it. */
  mustExist: boolean
  /** A site serves from it: nobody replaces it before it is closed. */
  serving?: boolean
  /** Looks at a file that somebody put in the place of the one that was opened; throws if it is not to be used. */
  examineOther?: ((read: Connection['read']) => Promise<void>) | undefined
}

/**
 * Opens a database file; makes it, and its folder, readable by this account only.
 * @throws UserError 'configuration' when it must exist and does not; then nothing is made.
 */
export async function openLocal(
  asked: string,
  { mustExist, serving = false, examineOther }: Opening,
): Promise<Connection> {
  if (mustExist) await refuseMissing(asked)
  const path = await realPathOf(asked)
  await refuseUnusable(path)
  await makePrivateFile(path)
  const release = serving ? await announceSite(path) : undefined
  const client = createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: BLOCKING_WAIT_MS })
  /** The file whose settings are made and whose tables are known to be ours. */
  let known: string | undefined
  let settled = false
  let lookedAt = 0

  async function settledClient(): Promise<Client> {
    if (settled && performance.now() - lookedAt < LOOKED_EVERY_MS) return client
    // Opening a file that has been taken away would make an empty one in its place.
    const present = await identityOf(path)
    if (settled && present !== known) renew()
    if (!settled) await applySettings(client)
    if (known !== undefined && present !== known) await examineOther?.((statement) => client.execute(statement))
    known = present
    settled = true
    lookedAt = performance.now()
    return client
  }

  // A statement that failed is never reset by the driver, and the next writes on its connection answer
  // without being stored (tursodatabase/libsql-client-ts#352). Only a new connection is safe.
  function renew(): void {
    settled = false
    client.reconnect()
  }

  const queue = openQueue({
    read: async (statement) => (await settledClient()).execute(statement),
    write: async (statements) => {
      const results = await writeTogether(await settledClient(), statements)
      // Replaced in the midst of it, the file that has them is no longer the one that counts.
      if ((await identityOf(path)) !== known) throw new Moved()
      return results
    },
    renew,
    close: () => client.close(),
  })
  // In its turn, and by itself: it cannot be part of a transaction.
  const alone = async (statement: Statement): Promise<void> => void (await queue.read(statement))
  return {
    ...queue,
    close: async () => {
      await queue.close()
      await release?.()
    },
    keepPrivate: () => keepPrivate(path),
    rewrite: () => alone({ sql: 'VACUUM', args: [] }),
    copyTo: (file) => makeWhole(file, () => alone({ sql: 'VACUUM INTO ?', args: [file] })),
  }
}

/**
 * Reads a file that is there and at rest, as it is: nothing is made, settled or repaired for it, and a writer is not
 * waited for. Answers no rows where a crash left a journal behind, because who reads then repairs, which is a write.
 */
export async function readAtRest(file: string, sql: string): Promise<unknown[]> {
  const journal = await stat(`${file}-journal`).catch(() => undefined)
  if (!(await stat(file)).isFile() || (journal !== undefined && journal.size > 0)) return []
  const client = createClient({ url: pathToFileURL(file).href, timeout: BLOCKING_WAIT_MS })
  try {
    return (await client.execute(sql)).rows
  } finally {
    client.close()
  }
}

/**
 * All of the statements in one transaction. A COMMIT that meets a reader is never reset by the driver either, and what it
 * holds keeps everybody from writing, this process too, until it is garbage collected. What runs without values is.
 */
async function writeTogether(client: Client, statements: Statement[]): Promise<ResultSet[]> {
  const transaction = await client.transaction('write')
  try {
    const results = await transaction.batch(statements)
    await transaction.executeMultiple('COMMIT')
    return results
  } finally {
    transaction.close()
  }
}

/** Makes a file for this account only and lets SQLite fill it, which writes but does not wait for the disk. */
async function makeWhole(file: string, fill: () => Promise<void>): Promise<void> {
  await makePrivateFile(file)
  try {
    await fill()
    await syncFile(file)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

class Moved extends Error {
  extendedCode = 'SQLITE_READONLY_DBMOVED'
}

async function applySettings(client: Client): Promise<void> {
  for (const { name, wanted, reads } of SETTINGS) {
    await client.execute(`PRAGMA ${name}=${wanted}`)
    const { rows } = await client.execute(`PRAGMA ${name}`)
    if (rows[0]?.[0] !== reads) throw new Error(`The database did not accept ${name}=${wanted}.`)
  }
}
