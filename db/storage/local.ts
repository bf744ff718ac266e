import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCodeOf } from '#db/values/errors.ts'
import { openChangeCounter } from './change-counter.ts'
import type { Connection, Statement } from './connection.ts'
import { makePrivateFile, renameToFree, syncFile, syncFolder, withTemporaryFile } from './files.ts'
import { LocalClient } from './local-client.ts'
import { assertUsable, identityOf, realPathOf, restrictToOwner } from './local-file.ts'
import { acquireSiteLock } from './locks.ts'
import { openQueue } from './queue.ts'

/** How often reads check that the file has not been replaced, in ms. Every write checks it. */
const REPLACEMENT_CHECK_INTERVAL_MS = 500

/**
 * In 75 simulated power cuts, TRUNCATE with FULL lost nothing. WAL can corrupt the database when two processes write
 * (SQLite before 3.51.3). See docs/decisions.
 */
const SETTINGS = [
  { name: 'synchronous', wanted: 'FULL', reads: 2 },
  { name: 'journal_mode', wanted: 'TRUNCATE', reads: 'truncate' },
  { name: 'foreign_keys', wanted: 'ON', reads: 1 },
  // Overwrites deleted rows, which would otherwise stay in the file until their page is reused.
  { name: 'secure_delete', wanted: 'ON', reads: 1 },
  // Views, triggers and expressions in the file may not call functions that could do harm.
  { name: 'trusted_schema', wanted: 'OFF', reads: 0 },
]

type Opening = {
  mustExist: boolean
  /** Whether a site serves from the file. Holds the site lock until it is closed, so that a restore is refused. */
  serving?: boolean
  /** Throws if a file that has replaced the opened one must not be used. */
  checkReplacement?: ((read: Connection['read']) => Promise<void>) | undefined
}

/** Opens a database file; creates it and its folder, readable by this account only. */
export async function openLocal(
  requested: string,
  { mustExist, serving = false, checkReplacement }: Opening,
): Promise<Connection> {
  const path = await realPathOf(requested)
  await assertUsable(path, mustExist)
  if (!existsSync(path)) await createFile(path)
  const release = serving ? await acquireSiteLock(path) : undefined
  const client = new LocalClient(path)
  const changeCounter = openChangeCounter(path)
  /** The identity of the file to which the settings were applied and whose tables were checked. */
  let known: string | undefined
  let isReady = false
  let checkedAt = 0

  async function readyClient(): Promise<LocalClient> {
    if (isReady && performance.now() - checkedAt < REPLACEMENT_CHECK_INTERVAL_MS) return client
    // Opening a path whose file was removed would create an empty database.
    const present = await identityOf(path)
    if (isReady && present !== known) reconnect()
    if (!isReady) applySettings(client)
    if (known !== undefined && present !== known)
      await checkReplacement?.(async (statement) => client.execute(statement))
    known = present
    isReady = true
    checkedAt = performance.now()
    return client
  }

  // The driver never resets a failed statement, and later writes on its connection succeed without being stored
  // (tursodatabase/libsql-client-ts#352). Only a new connection is safe, until that issue is closed.
  function reconnect(): void {
    isReady = false
    client.reconnect()
  }

  const queue = openQueue({
    read: async (statement) => (await readyClient()).execute(statement),
    commitTogether: async (works) => {
      const outcomes = await (await readyClient()).commitTogether(works)
      // If the file was replaced meanwhile, the rows went into the old one.
      if ((await identityOf(path)) !== known) throw new FileReplaced()
      return outcomes
    },
    reconnect,
    close: () => client.close(),
  })
  // Queued as a read, because VACUUM cannot run inside a transaction.
  const runOutsideTransaction = async (statement: Statement): Promise<void> => void (await queue.read(statement))
  return {
    ...queue,
    batch: (statements) => queue.write((execute) => execute(statements)),
    changes: () => changeCounter.read(known),
    close: async () => {
      await queue.close()
      changeCounter.close()
      await release?.()
    },
    accept: () => restrictToOwner(path),
    rewrite: () => runOutsideTransaction({ sql: 'VACUUM', args: [] }),
    copyTo: (file) => createDurably(file, () => runOutsideTransaction({ sql: 'VACUUM INTO ?', args: [file] })),
  }
}

/** Applies the settings to a connection and reads them back, because SQLite ignores unsupported values silently. */
function applySettings(client: LocalClient): void {
  for (const { name, wanted, reads } of SETTINGS) {
    client.execute({ sql: `PRAGMA ${name}=${wanted}`, args: [] })
    const { rows } = client.execute({ sql: `PRAGMA ${name}`, args: [] })
    if (rows[0]?.[0] !== reads) throw new Error(`The database did not accept ${name}=${wanted}.`)
  }
}

/** Creates a database for this account only. It gets its name when it has a page, because an empty file counts as damaged. */
async function createFile(path: string): Promise<void> {
  await withTemporaryFile(path, async (temporary) => {
    await makePrivateFile(temporary)
    const client = new LocalClient(temporary)
    try {
      applySettings(client)
      client.execute({ sql: 'VACUUM', args: [] })
    } finally {
      client.close()
    }
    await syncFile(temporary)
    await renameToFree(temporary, path).catch((error) => {
      // Another process has created it meanwhile.
      if (errorCodeOf(error) !== 'EEXIST') throw error
    })
    await syncFolder(dirname(path))
  })
}

/** Creates a file for this account only, and syncs it after SQLite has filled it, because VACUUM INTO does not. */
async function createDurably(file: string, fill: () => Promise<void>): Promise<void> {
  await makePrivateFile(file)
  try {
    await fill()
    await syncFile(file)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

class FileReplaced extends Error {
  code = 'SQLITE_READONLY_DBMOVED'
}
