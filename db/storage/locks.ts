import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Client } from '@libsql/client'
import { createClient } from '@libsql/client/sqlite3'
import { UserError } from '#db/errors.ts'
import { currentDeadline } from './deadline.ts'
import { identityOf, makePrivateFile, realPathOf } from './local-file.ts'
import { explainStorageError, isPassing } from './storage-error.ts'

/** Lets a lock go. The kernel does it as well when the process ends, however it ends. */
export type Release = () => Promise<void>

/** Beside a database: its lock is held by every site that serves from it. It is a database itself, without content. */
const SITES = '-site'
const LOOK = 'SELECT 1 FROM sqlite_master'
const RETRY_MS = 50

/**
 * Tells everybody that a site serves from this file.
 * @throws UserError 'busy' while somebody keeps sites away.
 */
export async function announceSite(asked: string): Promise<Release> {
  const path = await realPathOf(asked)
  try {
    await makePrivateFile(path + SITES, path)
    return await patiently(path + SITES, async (client) => {
      const shared = await client.transaction('read')
      await shared.execute(LOOK)
      return async () => shared.close()
    })
  } catch (error) {
    // Where nothing can be written nobody can replace the database either.
    if (isUnwritable(error)) return async () => {}
    if (!isPassing(error)) throw explainStorageError(error)
    throw new UserError('busy', `${path} is being replaced or copied at the moment. Start the site again after that.`)
  }
}

/** Whether a site serves from this file at the moment; undefined where this account may not ask. */
export async function isServed(asked: string): Promise<boolean | undefined> {
  const path = (await realPathOf(asked)) + SITES
  if (!existsSync(path)) return false
  const client = open(path)
  try {
    // It is had for a moment only where nobody holds a part of it; a site that starts in that moment tries again.
    await client.execute('BEGIN EXCLUSIVE')
    await client.execute('ROLLBACK')
    return false
  } catch (error) {
    return isPassing(error) ? true : undefined
  } finally {
    client.close()
  }
}

/**
 * Keeps every site from serving from this file.
 * @throws UserError 'busy' while one does.
 */
export async function keepSitesAway(asked: string): Promise<Release> {
  const path = await realPathOf(asked)
  await makePrivateFile(path + SITES, path).catch((error) => {
    throw new UserError(
      'configuration',
      `This account may not write beside ${path} (${codeOf(error)}). Use the account that runs the site.`,
    )
  })
  const client = open(path + SITES)
  try {
    // First without keeping it: what fails in the exclusive mode keeps the half that it got.
    await client.execute('BEGIN EXCLUSIVE')
    await client.execute('PRAGMA locking_mode=EXCLUSIVE')
    await client.batch(['CREATE TABLE IF NOT EXISTS held (x)'], 'write')
  } catch (error) {
    client.close()
    if (!isPassing(error)) throw explainStorageError(error)
    throw new UserError(
      'busy',
      `A site is running on ${path}, or somebody restores it. Stop that first, or add --force.`,
    )
  }
  return async () => {
    await client.execute('PRAGMA locking_mode=NORMAL')
    await client.execute(LOOK)
    client.close()
  }
}

/**
 * Keeps everybody from writing to a database. A transaction that was cut off is taken back before.
 * @throws UserError 'busy' when somebody else keeps it locked, 'damaged' when it is no database any more.
 */
export async function keepWritersAway(path: string): Promise<Release> {
  try {
    for (;;) {
      const meant = await identityOf(path)
      const release = await patiently(path, async (client) => {
        const writing = await client.transaction('write')
        return async () => writing.close()
      })
      // Whoever waited for another replacement holds the lock of what is replaced already.
      if ((await identityOf(path)) === meant) return release
      await release()
    }
  } catch (error) {
    if (!isPassing(error)) throw explainStorageError(error)
    throw new UserError('busy', `Somebody keeps ${path} locked. Try again in a few seconds.`)
  }
}

async function patiently(path: string, take: (client: Client) => Promise<Release>): Promise<Release> {
  for (const end = currentDeadline(); ; await delay(RETRY_MS)) {
    const client = open(path)
    try {
      const release = await take(client)
      return async () => {
        await release()
        client.close()
      }
    } catch (error) {
      client.close()
      if (!isPassing(error) || performance.now() > end) throw error
    }
  }
}

function open(path: string): Client {
  return createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: RETRY_MS })
}

/** The driver has no code for a file that it may not open. */
function isUnwritable(error: unknown): boolean {
  const isRefused = error instanceof Error && error.message.includes('ConnectionFailed')
  return isRefused || /^(EROFS|EACCES|SQLITE_(READONLY|CANTOPEN))/.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
