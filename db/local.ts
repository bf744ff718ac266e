import { access, chmod, type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '@libsql/client'
import { createClient } from '@libsql/client/sqlite3'
import type { Connection } from './connection.ts'
import { UserError } from './errors.ts'
import { openQueue } from './queue.ts'

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

/**
 * Opens a database file; makes it, and its folder, readable by this account only.
 * @throws UserError 'configuration' when it must exist and does not; then nothing is made.
 */
export async function openLocal(path: string, mustExist: boolean): Promise<Connection> {
  if (mustExist) await refuseMissing(path)
  await makePrivateFile(path)
  const client = createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: BLOCKING_WAIT_MS })
  let settled = false

  async function settledClient(): Promise<Client> {
    if (settled) return client
    // Opening a file that has been taken away would make an empty one in its place.
    await access(path)
    await applySettings(client)
    settled = true
    return client
  }

  const queue = openQueue({
    read: async (statement) => (await settledClient()).execute(statement),
    write: async (statements) => (await settledClient()).batch(statements, 'write'),
    // A statement that failed is never reset by the driver, and the next writes on its connection answer
    // without being stored (tursodatabase/libsql-client-ts#352). Only a new connection is safe.
    renew: () => {
      settled = false
      client.reconnect()
    },
    close: () => client.close(),
  })
  return {
    ...queue,
    keepPrivate: () => keepPrivate(path),
    // In its turn, and by itself: it cannot be part of a transaction.
    rewrite: async () => void (await queue.read({ sql: 'VACUUM', args: [] })),
  }
}

async function applySettings(client: Client): Promise<void> {
  for (const { name, wanted, reads } of SETTINGS) {
    await client.execute(`PRAGMA ${name}=${wanted}`)
    const { rows } = await client.execute(`PRAGMA ${name}`)
    if (rows[0]?.[0] !== reads) throw new Error(`The database did not accept ${name}=${wanted}.`)
  }
}

async function refuseMissing(path: string): Promise<void> {
  const code = await stat(path).then(
    () => undefined,
    (error) => error.code,
  )
  if (code === undefined) return
  throw new UserError(
    'configuration',
    code === 'ENOENT'
      ? `There is no database at ${path}. Start the site once with \`npm start\`, run \`npx rsvp init\`, or check DATABASE_URL.`
      : `This account may not open the database at ${path} (${code}). Use the account that runs the site, or check DATABASE_URL.`,
  )
}

async function makePrivateFile(path: string): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const made = await openNew(path)
  if (made === undefined) return
  await made.close()
  // A new file's name lives in its folder: without this a power cut could take the whole file away.
  const entry = await open(folder, 'r')
  await entry.sync()
  await entry.close()
}

/**
 * A copy brought back from somewhere may be readable by others; if it is not ours, it is not ours to change. Nor can it
 * be where nothing can be written.
 */
async function keepPrivate(path: string): Promise<void> {
  const { mode, uid } = await stat(path)
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return
  await chmod(path, mode & 0o700).catch((error) => {
    if (error.code !== 'EROFS') throw error
  })
}

async function openNew(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined
    throw error
  }
}
