import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'libsql'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import { currentDeadline } from './deadline.ts'
import { makePrivateFile } from './files.ts'
import { identityOf, realPathOf } from './local-file.ts'
import { explainStorageError, isTransient } from './storage-error.ts'

/** Releases a lock. The kernel also does so when the process ends, however it ends. */
export type Release = () => Promise<void>

/** The lock file beside a database, itself an empty SQLite database. Each serving site holds a shared lock on it. */
const SITES = '-site'
const TOUCH = 'SELECT 1 FROM sqlite_master'
const RETRY_MS = 50

/** Takes the shared lock that each site serving from this file holds. */
export async function acquireSiteLock(requested: string): Promise<Release> {
  const path = await realPathOf(requested)
  try {
    await makePrivateFile(path + SITES, path)
    return await retry(path + SITES, `BEGIN; ${TOUCH}`)
  } catch (error) {
    // If nothing can be written, the database cannot be replaced either.
    if (isUnwritable(error)) return async () => {}
    if (!isTransient(error)) throw explainStorageError(error)
    throw new UserError('busy', `${path} is being restored or migrated. Start the site again afterwards.`)
  }
}

/** Takes the site lock exclusively: no site can start to serve from this file until it is released. */
export async function acquireExclusiveSiteLock(requested: string): Promise<Release> {
  const path = await realPathOf(requested)
  await makePrivateFile(path + SITES, path).catch((error) => {
    throw new UserError(
      'configuration',
      `This account may not write beside ${path} (${errorCodeOf(error)}). Use the account that runs the site.`,
    )
  })
  let database: Database.Database
  try {
    // First in the normal mode: in exclusive mode a failed attempt keeps the shared lock that it got.
    database = open(
      path + SITES,
      `BEGIN EXCLUSIVE; ROLLBACK; PRAGMA locking_mode=EXCLUSIVE;
        BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS held (x); COMMIT`,
    )
  } catch (error) {
    if (!isTransient(error)) throw explainStorageError(error)
    throw new UserError('busy', `A site is running on ${path}, or a restore is. Stop it first.`)
  }
  return async () => {
    database.exec(`PRAGMA locking_mode=NORMAL; ${TOUCH}`)
    database.close()
  }
}

/** Takes the write lock of a database, after rolling back any interrupted transaction. */
export async function acquireWriteLock(path: string): Promise<Release> {
  try {
    for (;;) {
      const identity = await identityOf(path)
      const release = await retry(path, 'BEGIN IMMEDIATE')
      // If another process replaced the file while this one waited, the lock is on the old file.
      if ((await identityOf(path)) === identity) return release
      await release()
    }
  } catch (error) {
    if (!isTransient(error)) throw explainStorageError(error)
    throw new UserError('busy', `Another process has locked ${path}. Try again in a few seconds.`)
  }
}

/** Closing the connection ends the transaction that `sql` begins. */
async function retry(path: string, sql: string): Promise<Release> {
  for (const end = currentDeadline(); ; await delay(RETRY_MS)) {
    try {
      const database = open(path, sql)
      return async () => void database.close()
    } catch (error) {
      if (!isTransient(error) || performance.now() > end) throw error
    }
  }
}

/** Opens a connection and runs `sql`; closes it if that fails. */
function open(path: string, sql: string): Database.Database {
  const database = new Database(resolve(path), { timeout: RETRY_MS })
  try {
    database.exec(sql)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The driver has no error code for a file that it may not open. */
function isUnwritable(error: unknown): boolean {
  const isDenied = error instanceof Error && error.message.includes('ConnectionFailed')
  return isDenied || /^(EROFS|EACCES|SQLITE_(READONLY|CANTOPEN))/.test(errorCodeOf(error))
}
