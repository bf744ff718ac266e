import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { getTableName } from 'drizzle-orm'
import { allowances, passwords, sessions, signInAttempts } from '#db/access/table.ts'
import { auditEntries } from '#db/audit/table.ts'
import { UserError } from '#db/errors.ts'
import { acceptAnyVersion } from '#db/migrate.ts'
import type { Call } from '#db/operation.ts'
import type { Connection } from '#db/storage/connection.ts'
import { damageIn } from '#db/storage/integrity.ts'
import { openLocal } from '#db/storage/local.ts'
import { isSameFile, makePrivateFile, realPathOf } from '#db/storage/local-file.ts'
import { keepSitesAway } from '#db/storage/locks.ts'
import { listTables } from '#db/storage/tables.ts'
import { JOURNAL, withUnfinished } from '#db/unfinished.ts'
import { type Holdings, holdingsOf } from './copy.ts'
import { keptName } from './names.ts'
import { replaceDatabase } from './replacement.ts'

/** What a backup loses: nobody is signed in with it, and nobody has to wait. */
const FORGOTTEN = [sessions, signInAttempts, allowances].map((table) => getTableName(table))
const PASSWORDS = getTableName(passwords)
const AUDIT = getTableName(auditEntries)

type Request = {
  /** The absolute path of the backup. */
  file: string
  /** The absolute path of the database whose place it takes. */
  target: string
  /** Also while a site serves from the database. */
  force: boolean
}

/** What is in a backup, and what becomes of the database that was there until now. */
export type Restoration = Holdings & {
  /** A password is set in it. */
  guarded: boolean
  /** Its tables are those of an older version, which the next start of a site brings up to date. */
  isOlder: boolean
  /** Where the database of until now is kept; undefined where there was none. */
  kept: string | undefined
}

/**
 * Puts a backup in the place of the database, of whichever version up to this one. It is examined before; whoever was
 * signed in when it was made is not any more. At every moment the old database or the new one is there, and whole.
 * @param confirm is told what would be done; what it throws ends it, and nothing is changed.
 * @throws UserError 'busy' while a site serves from the database, unless forced; 'not-found' when there is no such
 * file, 'damaged' when it is not whole, 'configuration' when it is no backup or one of a newer version.
 */
export async function restoreBackup(
  { file, target: asked, force }: Request,
  call: Call,
  confirm: (found: Restoration) => Promise<void>,
): Promise<Restoration> {
  if (!existsSync(file)) throw new UserError('not-found', `There is no backup at ${file}.`)
  const target = await realPathOf(asked)
  if (await isSameFile(file, target))
    throw new UserError('already-exists', `${file} is the database itself. Give the file of a backup.`)
  return withUnfinished(target, async (copy) => {
    await copyWithJournal(file, copy, target)
    const held = await examineBackup(file, copy)
    const prepared = await prepare(file, copy, call)
    // Only now: nobody stops a site for a file that is no backup.
    const release = force ? undefined : await keepSitesAway(target)
    try {
      const found = { ...held, ...prepared, kept: keptNow(target, call) }
      await confirm(found)
      // Asked once more: while somebody thinks about it a site may have begun one.
      const kept = keptNow(target, call)
      await replaceDatabase(target, { copy, kept })
      return { ...found, kept }
    } finally {
      await release?.()
    }
  })
}

function keptNow(target: string, { now }: Call): string | undefined {
  return existsSync(target) ? keptName(target, 'restore', now) : undefined
}

/** A database that was saved by copying its file may have a transaction in it that was cut off. */
async function copyWithJournal(file: string, copy: string, target: string): Promise<void> {
  for (const end of ['', JOURNAL]) {
    if (!existsSync(file + end)) continue
    await makePrivateFile(copy + end, target)
    // Not copyFile, which copies the rights and the owner as well.
    await pipeline(createReadStream(file + end), createWriteStream(copy + end))
  }
}

async function examineBackup(file: string, copy: string): Promise<Holdings> {
  const connection = await openLocal(copy, { mustExist: true })
  try {
    const [damage] = await damageIn(connection)
    if (damage !== undefined)
      throw new UserError('damaged', `${file} is damaged, or no backup at all (${damage}). Try another one.`)
    if (await isForeign(connection))
      throw new UserError('configuration', `${file} is no backup of this site. Try another one.`)
    return await holdingsOf(connection)
  } finally {
    await connection.close()
  }
}

async function isForeign({ read }: Connection): Promise<boolean> {
  const own = "name IN ('rsvps', '__drizzle_migrations')"
  const { rows } = await read({ sql: `SELECT name FROM sqlite_master WHERE ${own}`, args: [] })
  return rows.length < 2
}

/**
 * Whoever was signed in then is not any more. The tables stay as they are, of whichever version: what is changed are rows
 * of those that it has.
 */
async function prepare(file: string, copy: string, call: Call): Promise<Pick<Restoration, 'guarded' | 'isOlder'>> {
  const connection = await openLocal(copy, { mustExist: true })
  try {
    const version = await acceptAnyVersion(connection)
    if (version === 'newer') throw newer(file)
    const present = new Set((await listTables(connection)).map(({ name }) => name))
    const emptied = FORGOTTEN.filter((name) => present.has(name)).map((name) => ({
      sql: `DELETE FROM ${name}`,
      args: [],
    }))
    const noted = {
      sql: `INSERT INTO ${AUDIT} (at, actor, action, subject) VALUES (?, ?, ?, ?)`,
      args: [call.now.toISOString(), call.actor, 'backup restored', file],
    }
    const statements = present.has(AUDIT) ? [...emptied, noted] : emptied
    if (statements.length > 0) await connection.write(statements)
    return { guarded: present.has(PASSWORDS) && (await hasRows(connection, PASSWORDS)), isOlder: version === 'older' }
  } finally {
    await connection.close()
  }
}

async function hasRows({ read }: Connection, table: string): Promise<boolean> {
  return (await read({ sql: `SELECT 1 FROM ${table} LIMIT 1`, args: [] })).rows.length > 0
}

function newer(file: string): UserError {
  const todo = 'Update the site first, or try another one; nothing was changed.'
  return new UserError('configuration', `${file} was written by a newer version. ${todo}`)
}
