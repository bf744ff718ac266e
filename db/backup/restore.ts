import { createWriteStream, existsSync } from 'node:fs'
import { link, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { getTableName } from 'drizzle-orm'
import type { Call } from '#db/call.ts'
import type { Connection } from '#db/storage/connection.ts'
import {
  assertUnsupported,
  JOURNAL,
  makePrivateFile,
  openRegularFile,
  syncFile,
  syncFolder,
  withTemporaryFile,
} from '#db/storage/files.ts'
import { openLocal } from '#db/storage/local.ts'
import { isSameFile, realPathOf } from '#db/storage/local-file.ts'
import { acquireExclusiveSiteLock, acquireWriteLock } from '#db/storage/locks.ts'
import { administrators, allowances, auditEntries, challenges, sessions } from '#db/tables/access.ts'
import { mailQueue, mailState } from '#db/tables/mail.ts'
import { DAMAGED, UserError } from '#db/values/errors.ts'
import { countResponses } from './create.ts'
import { copyPathFor, keptCopyName } from './names.ts'
import { findTrouble } from './trouble.ts'

/** These tables are emptied: all sessions end, and limits start afresh. */
const EMPTIED = [sessions, challenges, allowances].map((table) => getTableName(table))
const ADMINISTRATORS = getTableName(administrators)
const END_INVITATIONS = `UPDATE ${ADMINISTRATORS} SET invitation_hash = NULL, invitation_ends_at = NULL`
/** Unsent messages may have been sent since the backup, so they are deleted and not queued again. */
const MAIL = getTableName(mailQueue)
const FORGET_UNSENT = `DELETE FROM ${MAIL} WHERE sent_at IS NULL`
const NOTE_RESTORED = `INSERT OR REPLACE INTO ${getTableName(mailState)} (id, restored_at) VALUES (1, ?)`
const AUDIT = getTableName(auditEntries)

/** `kept` is the new path of the previous database; undefined if there was none. */
export type Restoration = { responses: number; kept: string | undefined }

/**
 * Checks a backup of this or an older version, and replaces the database with it. All sessions and invitations end.
 * At every moment either the previous or the restored database exists, complete, unless the file system has no hard links.
 * @param confirm receives the number of responses in the backup; nothing is changed if it throws.
 * @throws UserError 'busy' while a site serves from the database; 'not-found' if the file does not
 * exist, 'damaged' if it is damaged, 'configuration' if it is not a backup, was altered, or is from a newer version.
 */
export async function restoreBackup(
  { file, target: requested }: { file: string; target: string },
  call: Call,
  confirm: (responses: number) => Promise<void>,
): Promise<Restoration> {
  assertPresent(file)
  const target = await realPathOf(requested)
  if (await isSameFile(file, target))
    throw new UserError('already-exists', `${file} is the database itself. Give the file of a backup.`)
  return withTemporaryFile(target, async (copy) => {
    await copyWithJournal(file, copy, target)
    const responses = await examineBackup(copy, file)
    await prepare(file, copy, call)
    // Locked only now, so that no site is stopped for a file that is not a backup.
    const release = await acquireExclusiveSiteLock(target)
    try {
      await confirm(responses)
      const kept = existsSync(target) ? keptCopyName(target, 'restore', call.now) : undefined
      await replaceDatabase(target, copy, kept)
      return { responses, kept }
    } finally {
      await release()
    }
  })
}

/**
 * Checks a backup as `restoreBackup` does, in a temporary copy beside the database.
 * @param url of the database.
 * @returns how many responses are in the backup.
 */
export async function verifyBackup(file: string, url: string): Promise<number> {
  assertPresent(file)
  const place = await copyPathFor(url)
  return withTemporaryFile(place, async (copy) => {
    await copyWithJournal(file, copy, place)
    return examineBackup(copy, file)
  })
}

/**
 * Checks the schema, every page and every value of an untrusted file, without running anything in it.
 * @param named its name in messages.
 * @returns how many responses are in it, without deleted ones.
 * @throws UserError 'damaged' for a damaged file, 'configuration' if it is not a backup of a site, was altered, or comes
 * from a newer version.
 */
async function examineBackup(file: string, named: string): Promise<number> {
  const damaged = (why: string) => new UserError('damaged', `${named} is damaged (${why}). Try another one.`)
  // SQLite would treat an empty file as a new database.
  if ((await stat(file)).size === 0) throw damaged('it is empty')
  const connection = await openLocal(file, { mustExist: true })
  try {
    if (await isForeign(connection))
      throw new UserError('configuration', `${named} is not a backup of this site. Try another one.`)
    const trouble = await findTrouble(connection, named)
    if (trouble !== undefined) throw new UserError(trouble.code, `${trouble.sentence} Try another one.`)
    return await countResponses(connection)
  } catch (error) {
    throw error instanceof UserError && error.message === DAMAGED ? damaged('it cannot be read') : error
  } finally {
    await connection.close()
  }
}

async function isForeign({ read }: Connection): Promise<boolean> {
  const sql = "SELECT name FROM sqlite_master WHERE name IN ('rsvps', '__drizzle_migrations')"
  const { rows } = await read({ sql, args: [] })
  return rows.length < 2
}

function assertPresent(file: string): void {
  if (!existsSync(file)) throw new UserError('not-found', `There is no backup at ${file}.`)
}

/** Replaces a database with a copy, atomically; a previous file gets the name `kept`. */
async function replaceDatabase(target: string, copy: string, kept: string | undefined): Promise<void> {
  await syncFile(copy)
  // No write runs during the lock; the next one notices that the file was replaced.
  const release = kept === undefined ? undefined : await acquireWriteLock(target).catch(passDamaged)
  try {
    if (kept !== undefined) await keepUnderSecondName(target, kept)
    // The journal of an interrupted transaction belongs to the old file, and would damage the new one.
    const { size } = await stat(target + JOURNAL).catch(() => ({ size: 0 }))
    if (size > 0) await rename(target + JOURNAL, (kept ?? `${target}.without-database`) + JOURNAL)
    await rename(copy, target)
    await syncFolder(dirname(target))
  } finally {
    await release?.()
  }
}

/** A file that cannot be locked because it is damaged or no database is replaced anyway. */
function passDamaged(error: unknown): undefined {
  if (!(error instanceof UserError && error.code === 'damaged')) throw error
}

/** A backup that was made by copying files may include the journal of an interrupted transaction. */
async function copyWithJournal(file: string, copy: string, target: string): Promise<void> {
  for (const end of ['', JOURNAL]) {
    if (!existsSync(file + end)) continue
    await makePrivateFile(copy + end, target)
    // Not with copyFile, which would also copy permissions and owner.
    await pipeline((await openRegularFile(file + end)).createReadStream(), createWriteStream(copy + end))
  }
}

/** Ends all sessions and invitations, and records the restore. */
async function prepare(named: string, copy: string, call: Call): Promise<void> {
  const connection = await openLocal(copy, { mustExist: true })
  try {
    const now = call.now.toISOString()
    const changes = [...EMPTIED.map((name) => `DELETE FROM ${name}`), END_INVITATIONS, FORGET_UNSENT]
    await connection.batch([
      ...changes.map((sql) => ({ sql, args: [] })),
      {
        sql: `INSERT INTO ${AUDIT} (at, actor, action, subject) VALUES (?, ?, ?, ?)`,
        args: [now, call.actor, 'backup restored', named],
      },
      { sql: NOTE_RESTORED, args: [now] },
    ])
  } finally {
    await connection.close()
  }
}

/** Links first, so that the database exists at every moment; without hard links it is missing for a moment. */
async function keepUnderSecondName(target: string, kept: string): Promise<void> {
  await link(target, kept).catch(async (error) => {
    assertUnsupported(error)
    await rename(target, kept)
  })
}
