import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'

export type Site = Awaited<ReturnType<typeof startBuiltServer>>
type Variables = Record<string, string>

/** Starting a server takes as long as a short test: the tests of a worker share one for each set of variables. */
export function openSharedSites() {
  const running = new Map<string, Site>()
  return {
    /** A site as it is right after its start: nothing is left of the tests before, and its output begins here. */
    async take(variables: Variables): Promise<Site> {
      const key = JSON.stringify(variables)
      const used = running.get(key)
      if (used !== undefined && reset(used)) return withOwnOutput(used)
      running.delete(key)
      await used?.stop()
      const site = await startBuiltServer(variables)
      keepRows(site)
      running.set(key, site)
      // Some tests stop it.
      site.ended.then(() => running.get(key) === site && running.delete(key))
      return withOwnOutput(site)
    },
    async stop(): Promise<void> {
      await Promise.all(Array.from(running.values(), (site) => site.stop()))
    },
  }
}

const databaseOf = ({ folder }: Site) => join(folder, 'rsvp.db')
const rowsAtStartOf = ({ folder }: Site) => join(folder, 'at-start.db')

function withOwnOutput(site: Site): Site {
  const from = site.output().length
  return { ...site, output: () => site.output().slice(from) }
}

function keepRows(site: Site): void {
  const database = new DatabaseSync(databaseOf(site), { timeout: 60_000 })
  database.prepare('VACUUM INTO ?').run(rowsAtStartOf(site))
  database.close()
}

/** Puts every row back in one transaction, as another program may write at any time. False where that is not enough. */
function reset(site: Site): boolean {
  const database = new DatabaseSync(databaseOf(site), { timeout: 60_000 })
  try {
    database.prepare('ATTACH ? AS at_start').run(rowsAtStartOf(site))
    if (knowsAnotherPassword(database)) return false
    const ofTables = database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name = 'sqlite_sequence'",
    )
    const tables = ofTables.all().map(({ name }) => `"${name}"`)
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN IMMEDIATE')
    // Twice: a trigger may write down elsewhere what is deleted.
    for (const table of tables) database.exec(`DELETE FROM main.${table}`)
    for (const table of tables) {
      database.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM at_start.${table}`)
    }
    database.exec('COMMIT')
    return true
  } finally {
    database.close()
  }
}

/** A site that was guarded once stays so until it is started again. */
function knowsAnotherPassword(database: DatabaseSync): boolean {
  const passwords = (of: string) => JSON.stringify(database.prepare(`SELECT * FROM ${of}.passwords`).all())
  return passwords('main') !== passwords('at_start')
}
