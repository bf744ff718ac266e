import { isDeepStrictEqual } from 'node:util'
import { placeOf } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { openedDatabase } from '#db/storage/client.ts'
import type { Connection } from '#db/storage/connection.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { acquireExclusiveSiteLock, acquireWriteLock } from '#db/storage/locks.ts'
import { openRemote } from '#db/storage/remote.ts'
import { insertPage, pagesOf } from '#db/storage/rows.ts'
import { listOtherObjects, listTables, quoteIdentifier, type Source, type Table } from '#db/storage/tables.ts'
import { commitStaging, createStagingTables, stagingName } from './staging.ts'

type Request = {
  /** The path of the open database, which is copied. */
  file: string
  url: string
  authToken: string | undefined
  /** Also while a site serves from the file. */
  force: boolean
}

/** Receives progress: each step with its total of rows, then the rows as they are done. */
type ProgressListener = {
  begin(step: 'copy' | 'compare', total: number): void | Promise<void>
  done(rows: number): void
}

export type TransferredRows = Record<string, number>

/**
 * Copies everything from the open file to staging tables on a libSQL server, compares every row, and commits them in one
 * transaction. Until then nothing of it is visible there, and an interrupted run can be started again. The file is locked
 * against writes meanwhile and stays unchanged.
 * @throws UserError 'busy' while a site serves from the file, unless forced; 'already-exists' when the server is not
 * empty, 'damaged' when the file is, 'configuration' when the server does not know the token.
 */
export async function transferTo(
  { file, url, authToken, force }: Request,
  progress: ProgressListener,
  signal: AbortSignal,
): Promise<TransferredRows> {
  const siteLock = force ? undefined : await acquireExclusiveSiteLock(file)
  const target = openRemote(url, authToken)
  try {
    const writeLock = await acquireWriteLock(file)
    try {
      return await copyAndVerify(openedDatabase(), { target, url }, progress, signal)
    } finally {
      await writeLock()
    }
  } finally {
    await target.close()
    await siteLock?.()
  }
}

async function copyAndVerify(
  source: Connection,
  { target, url }: { target: Connection; url: string },
  progress: ProgressListener,
  signal: AbortSignal,
): Promise<TransferredRows> {
  const [damage] = await checkIntegrity(source)
  if (damage !== undefined) {
    throw new UserError(
      'damaged',
      `The database is damaged (${damage}). Restore a backup first: rsvp backup restore FILE`,
    )
  }
  const tables = await listTables(source)
  const counts = await countRows(source, tables)
  const total = Array.from(counts.values()).reduce((sum, count) => sum + count, 0)
  const run = await createStagingTables(target, tables).catch((error) => {
    if (!(error instanceof UserError && error.code === 'unavailable')) throw error
    const todo = 'Check the address and that the server runs, then run the command again.'
    throw new UserError('unavailable', `${placeOf(url)} cannot be reached. ${todo}`)
  })
  await progress.begin('copy', total)
  await copy(source, target, tables, (rows) => report(progress, rows, signal))
  await progress.begin('compare', total)
  await compare(source, target, tables, (rows) => report(progress, rows, signal))
  await commitStaging(target, { run, tables, counts, others: await listOtherObjects(source) })
  return Object.fromEntries(Array.from(counts, ([{ name }, count]) => [name, count]))
}

function report(progress: ProgressListener, rows: number, signal: AbortSignal): void {
  signal.throwIfAborted()
  progress.done(rows)
}

async function countRows({ read }: Source, tables: Table[]): Promise<Map<Table, number>> {
  const counts = new Map<Table, number>()
  for (const table of tables) {
    const { rows } = await read({ sql: `SELECT count(*) FROM ${quoteIdentifier(table.name)}`, args: [] })
    counts.set(table, Number(rows[0]?.[0]))
  }
  return counts
}

async function copy(
  source: Source,
  target: Connection,
  tables: Table[],
  onPage: (rows: number) => void,
): Promise<void> {
  for (const table of tables) {
    for await (const page of pagesOf(source, table)) {
      // Repeatable: rows keep their ids, so those that exist already are skipped.
      await target.batch([insertPage(table, page, stagingName(table))])
      onPage(page.length)
    }
  }
}

async function compare(source: Source, target: Source, tables: Table[], onPage: (rows: number) => void): Promise<void> {
  for (const table of tables) {
    const staged = pagesOf(target, table, stagingName(table))
    for await (const page of pagesOf(source, table)) {
      const other = await staged.next()
      if (!isDeepStrictEqual(page, other.value)) throw differs(table)
      onPage(page.length)
    }
    if (!(await staged.next()).done) throw differs(table)
  }
}

function differs({ name }: Table): UserError {
  return new UserError(
    'unavailable',
    `The copy of ${name} differs from the original. Nothing was changed on the server; run the command again.`,
  )
}
