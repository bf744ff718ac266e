import { placeOf } from '#db/config/database-url.ts'
import { UserError } from '#db/errors.ts'
import { openedDatabase } from '#db/storage/client.ts'
import type { Connection } from '#db/storage/connection.ts'
import { damageIn } from '#db/storage/integrity.ts'
import { keepSitesAway, keepWritersAway } from '#db/storage/locks.ts'
import { openRemote } from '#db/storage/remote.ts'
import { insertion, pagesOf } from '#db/storage/rows.ts'
import { listOthers, listTables, quoted, type Source, type Table } from '#db/storage/tables.ts'
import { arrivingName, beginArrival, settle } from './arrival.ts'

type Request = {
  /** The path of the database that is open: it is copied. */
  file: string
  /** The address of the libSQL server. */
  url: string
  authToken: string | undefined
  /** Also while a site serves from the file. */
  force: boolean
}

/** What is told on the way: that a step begins, with so many rows to do, and how many of them are done. */
export type Watcher = { begin(step: 'copy' | 'compare', total: number): void | Promise<void>; done(rows: number): void }

/** How many rows every table has, by its name. */
export type Migration = Record<string, number>

/**
 * Copies everything from the file that is open to a libSQL server, compares every row, and puts it in its place there
 * in one step. Until then the server shows nothing of it; it can be begun anew after whatever ended it. Nobody writes
 * into the file meanwhile, and it stays as it is.
 * @throws UserError 'busy' while a site serves from the file, unless forced; 'already-exists' when the server is not
 * empty, 'damaged' when the file is, 'configuration' when the server does not know the token.
 */
export async function migrateTo(
  { file, url, authToken, force }: Request,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<Migration> {
  const noSites = force ? undefined : await keepSitesAway(file)
  const target = openRemote(url, authToken)
  try {
    const noWriters = await keepWritersAway(file)
    try {
      return await bring(openedDatabase(), { target, url }, watcher, signal)
    } finally {
      await noWriters()
    }
  } finally {
    await target.close()
    await noSites?.()
  }
}

async function bring(
  source: Connection,
  { target, url }: { target: Connection; url: string },
  watcher: Watcher,
  signal: AbortSignal,
): Promise<Migration> {
  const [damage] = await damageIn(source)
  if (damage !== undefined) {
    throw new UserError('damaged', `The database is damaged (${damage}). Bring back a backup first: rsvp restore FILE`)
  }
  const tables = await listTables(source)
  const counts = await countRows(source, tables)
  const total = Array.from(counts.values()).reduce((sum, count) => sum + count, 0)
  const run = await beginArrival(target, tables).catch((error) => {
    throw isAway(error) ? notReached(url) : error
  })
  await watcher.begin('copy', total)
  await copy(source, target, tables, (rows) => proceed(watcher, rows, signal))
  await watcher.begin('compare', total)
  await compare(source, target, tables, (rows) => proceed(watcher, rows, signal))
  await settle(target, { run, tables, counts, others: await listOthers(source) })
  return Object.fromEntries(Array.from(counts, ([{ name }, count]) => [name, count]))
}

function proceed(watcher: Watcher, rows: number, signal: AbortSignal): void {
  signal.throwIfAborted()
  watcher.done(rows)
}

async function countRows({ read }: Source, tables: Table[]): Promise<Map<Table, number>> {
  const counts = new Map<Table, number>()
  for (const table of tables) {
    const { rows } = await read({ sql: `SELECT count(*) FROM ${quoted(table.name)}`, args: [] })
    counts.set(table, Number(rows[0]?.[0]))
  }
  return counts
}

async function copy(
  source: Source,
  target: Connection,
  tables: Table[],
  proceed: (rows: number) => void,
): Promise<void> {
  for (const table of tables) {
    for await (const page of pagesOf(source, table)) {
      // Sent again, it finds its rows by their numbers.
      await target.write([insertion(table, page, arrivingName(table))], { repeatable: true })
      proceed(page.length)
    }
  }
}

async function compare(
  source: Source,
  target: Source,
  tables: Table[],
  proceed: (rows: number) => void,
): Promise<void> {
  for (const table of tables) {
    const arrived = pagesOf(target, table, arrivingName(table))
    for await (const page of pagesOf(source, table)) {
      const other = await arrived.next()
      if (other.done || !isSame(page, other.value)) throw differs(table)
      proceed(page.length)
    }
    if (!(await arrived.next()).done) throw differs(table)
  }
}

function isSame(page: string[], other: string[]): boolean {
  return page.length === other.length && page.every((row, at) => row === other[at])
}

function isAway(error: unknown): boolean {
  return error instanceof UserError && error.code === 'unavailable'
}

function notReached(url: string): UserError {
  const todo = 'Check the address, and that the server runs; then run it again.'
  return new UserError('unavailable', `${placeOf(url)} cannot be reached. ${todo}`)
}

function differs({ name }: Table): UserError {
  return new UserError(
    'unavailable',
    `What has arrived of ${name} is not what was sent, and nothing was changed on the server. Run it again.`,
  )
}
