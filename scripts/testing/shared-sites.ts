import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
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
      if (existing !== undefined && (await reset(existing))) return withOwnOutput(existing)
      running.delete(key)
      await existing?.stop()
      const site = await startBuiltServer(variables)
      using database = new DatabaseSync(fileOf(site), { timeout: 60_000 })
      database.prepare('VACUUM INTO ?').run(initialFileOf(site))
      running.set(key, site)
      // Some tests stop the site.
      site.ended.then(() => running.get(key) === site && running.delete(key))
      return withOwnOutput(site)
    },
    async stop(): Promise<void> {
      await Promise.all(Array.from(running.values(), (site) => site.stop()))
    },
    /** Without waiting for anything: for a process that is about to end. */
    kill(): void {
      for (const { pid, folder } of running.values()) {
        if (pid !== undefined) process.kill(pid, 'SIGKILL')
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

const fileOf = ({ folder }: Site) => join(folder, 'rsvp.db')
const initialFileOf = ({ folder }: Site) => join(folder, 'initial.db')

function withOwnOutput(site: Site): Site {
  const from = site.output().length
  return { ...site, output: () => site.output().slice(from) }
}

/**
 * Restores the initial database by SQLite's own backup, because the server may write at any time.
 * @returns false if the site has to be restarted.
 */
async function reset(site: Site): Promise<boolean> {
  // A test may have removed the database or damaged it.
  if (!existsSync(fileOf(site))) return false
  try {
    using initial = new DatabaseSync(initialFileOf(site))
    using database = new DatabaseSync(fileOf(site), { timeout: 60_000 })
    // A site that has become guarded stays so until it is restarted.
    if (isGuarded(database) !== isGuarded(initial)) return false
    await backup(initial, fileOf(site))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR') return false
    throw error
  }
}

function isGuarded(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM administrators LIMIT 1').get() !== undefined
}
