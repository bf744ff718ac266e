import { rm } from 'node:fs/promises'
import type { Client } from '@libsql/client'
import type { Connection, Statement } from './connection.ts'
import { applySettings, openFile, writeTogether } from './local-client.ts'
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

/** How often it is looked whether the file is still the one that was opened, in ms. A write notices at once by itself. */
const LOOKED_EVERY_MS = 500

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
  const client = openFile(path)
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
