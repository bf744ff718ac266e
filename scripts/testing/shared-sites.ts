import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { startBuiltServer } from './built-server.mjs'

export type Site = Awaited<ReturnType<typeof startBuiltServer>>
type Variables = Record<string, string>

/** Starting a server takes as long as a short test: the tests of a process share one for each set of variables. */
export function openSharedSites() {
  const running = new Map<string, Site>()
  return {
    /**
     * Returns a site without the rows and the output of previous tests. What its process remembers stays (kept pages, the
     * state of its database connection), so a test that leaves it in a fault starts a site of its own.
     */
    async take(variables: Variables): Promise<Site> {
      const key = JSON.stringify(variables)
      const existing = running.get(key)
      if (existing !== undefined && reset(existing)) return withOwnOutput(existing)
      running.delete(key)
      await existing?.stop()
      const site = await startBuiltServer(variables)
      saveInitialRows(site)
      running.set(key, site)
      // Some tests stop the site.
      site.ended.then(() => running.get(key) === site && running.delete(key))
      return withOwnOutput(site)
    },
    async stop(): Promise<void> {
      await Promise.all(Array.from(running.values(), (site) => site.stop()))
    },
  }
}

const initialRowsOf = ({ folder }: Site) => join(folder, 'initial-rows.db')

function withOwnOutput(site: Site): Site {
  const from = site.output().length
  return { ...site, output: () => site.output().slice(from) }
}

function openDatabase({ folder }: Site): DatabaseSync {
  return new DatabaseSync(join(folder, 'rsvp.db'), { timeout: 60_000 })
}

function saveInitialRows(site: Site): void {
  using database = openDatabase(site)
  database.prepare('VACUUM INTO ?').run(initialRowsOf(site))
}

/**
 * Restores the initial rows in one transaction, because the server may write at any time.
 * @returns false if the site has to be restarted.
 */
function reset(site: Site): boolean {
  // A test may have removed the database or damaged it.
  if (!existsSync(join(site.folder, 'rsvp.db'))) return false
  using database = openDatabase(site)
  try {
    database.prepare('ATTACH ? AS initial_rows').run(initialRowsOf(site))
    if (SAME.some((select) => differ(database, select))) return false
    restoreRows(database)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR') return false
    throw error
  }
}

const SAME = [
  // Rows cannot be copied between tables of different columns, and a trigger or an index that a test added would stay.
  'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name',
  // A site that has become guarded stays so until it is restarted.
  'SELECT count(*) > 0 FROM administrators',
]

function differ(database: DatabaseSync, select: string): boolean {
  const [now, before] = ['main', 'initial_rows'].map((schema) =>
    database.prepare(select.replace('FROM ', `FROM ${schema}.`)).all(),
  )
  return !isDeepStrictEqual(now, before)
}

function restoreRows(database: DatabaseSync): void {
  const selectTables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name = 'sqlite_sequence'"
  const tables = database.prepare(selectTables).all()
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN IMMEDIATE')
  // Each table is emptied twice: deleting from another one may have fired a trigger that inserts into it.
  for (const { name } of tables) database.exec(`DELETE FROM main."${name}"`)
  for (const { name } of tables)
    database.exec(`DELETE FROM main."${name}"; INSERT INTO main."${name}" SELECT * FROM initial_rows."${name}"`)
  database.exec('COMMIT')
}
