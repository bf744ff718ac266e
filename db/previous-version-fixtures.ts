import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { projectRoot } from './config/places.ts'

/** The version before passwords existed. */
const PREVIOUS = 2

const migrations = join(projectRoot, 'db/migrations')
const known: { tag: string; when: number }[] = JSON.parse(
  readFileSync(join(migrations, 'meta/_journal.json'), 'utf8'),
).entries
const journal =
  'CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL)'

/** How many migrations there were before RSVPs had service dates. */
export const BEFORE_SERVICE_DATES = 10
/** How many there were while one password stood for all administrators. */
export const BEFORE_ADMINISTRATORS = 23

/**
 * Creates a database of a previous version with that many households.
 * @param version how many migrations had made its tables.
 */
export function makePreviousDatabase(file: string, families: number, version = PREVIOUS): void {
  const database = new DatabaseSync(file)
  database.exec(`BEGIN; ${journal}`)
  for (const migration of known.slice(0, version)) apply(database, migration)
  database.exec(`
    WITH RECURSIVE visitor(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM visitor WHERE id < ${families})
    INSERT INTO rsvps (id, key, name, email, message, attending, add_to_calendar, created_at)
      SELECT id, 'key ' || id, 'Visitor ' || id, id || '@visitor.example', hex(zeroblob(100)), 1, 0,
        '2025-01-05T14:00:00.000Z' FROM visitor;
    INSERT INTO family_members SELECT id, 0, name || ' Junior', 'child', 1 FROM rsvps;
    INSERT INTO volunteer_signups SELECT id, 1 FROM rsvps;
    COMMIT`)
  database.close()
}

/** Makes a database look as if a future version had written it. */
export function makeNewer(file: string): void {
  const database = new DatabaseSync(file)
  database.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('from the future', 9999999999999)")
  database.close()
}

function apply(database: DatabaseSync, { tag, when }: (typeof known)[number]): void {
  const sql = readFileSync(join(migrations, `${tag}.sql`), 'utf8')
  database.exec(sql)
  const hash = createHash('sha256').update(sql).digest('hex')
  database.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run(hash, when)
}
