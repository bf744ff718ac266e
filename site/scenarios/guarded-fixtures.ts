import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect } from 'vitest'
import { ask, type Reply, type Site, testSite } from './fixtures.ts'

export const PASSWORD = 'four words and none of them'

/** The built server with a password, for the tests of a file, with an empty database. */
export function guardedSite(variables: Record<string, string> = {}): () => Site {
  return testSite({ ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off', ...variables })
}

/** A guarded site whose every call is an administrator's. */
export function administeredSite(variables: Record<string, string> = {}): () => Site {
  const started = guardedSite(variables)
  let cookie: string | undefined
  beforeAll(async () => {
    cookie = await signIn(started())
  })
  return () => ({ ...started(), headers: { ...(cookie !== undefined && { cookie }) } })
}

/** The same site for a visitor who has not signed in. */
export function asVisitor({ headers: _, ...site }: Site): Site {
  return site
}

/** Signs in and returns the cookie as a browser sends it back. */
export async function signIn(
  site: Site,
  { email, password = PASSWORD }: { email?: string; password?: string } = {},
): Promise<string> {
  const reply = await ask(site, 'POST /api/session', { json: { email, password } })
  expect(reply).toMatchObject({ status: 204, body: '' })
  return cookieOf(reply)
}

/** The cookie of the session that a reply starts, as a browser sends it back. */
export function cookieOf({ headers }: Reply): string {
  const set = headers['set-cookie']?.filter((cookie) => /^(__Host-)?rsvp-session=/.test(cookie)) ?? []
  expect(set).toHaveLength(1)
  return set[0]?.split(';', 1)[0] ?? ''
}

/** A second connection to the database of a site: for clocks that are moved, and for a look at every row. */
export function inSiteDatabase<Result>({ folder }: Site, look: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(folder, 'rsvp.db'), { timeout: 60_000 })
  // What a test changes there need not survive a power cut.
  database.exec('PRAGMA synchronous = OFF')
  try {
    return look(database)
  } finally {
    database.close()
  }
}

/** Stores a row by the names of its columns, in place of one with the same key. */
export function storeRow(site: Site, table: string, row: Record<string, string | number | null>): void {
  const names = Object.keys(row)
  const sql = `INSERT OR REPLACE INTO ${table} (${names}) VALUES (${names.map(() => '?')})`
  inSiteDatabase(site, (database) => database.prepare(sql).run(...Object.values(row)))
}

/** Stores very many at once. */
export function insertRsvps(site: Site, count: number): void {
  inSiteDatabase(site, (database) =>
    database.exec(`
      INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at, service_date)
      WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
      SELECT number, 'Ana Cole', 'ana@example.org', 1, 0, '2026-11-22T10:00:00.000Z', '2026-11-28'
      FROM numbers`),
  )
}

/** Every row, by table, except what the site writes by itself. */
export function rowsByTable(site: Site): Record<string, unknown[]> {
  return inSiteDatabase(site, (database) => {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    const read = (table: unknown) => database.prepare(`SELECT * FROM "${table}"`).all()
    const rows = Object.fromEntries(tables.map(({ name }) => [name, read(name)]))
    return { ...rows, settings: read('settings').map(({ purged_at: _, checked_at: __, ...row }) => row) }
  })
}
