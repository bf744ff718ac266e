import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Schedule } from '#db/schedule/schema.ts'
import { nextService } from '#db/schedule/services.ts'
import { root } from '../../scripts/local-node.mjs'

/** This many come from `rsvp add --samples 20`; further ones are copies of them with other names and addresses. */
const SEEDED = 1000
const COPY = `
  INSERT INTO rsvps (key, name, email, phone, message, attending, add_to_calendar, calendar_type, created_at,
    deleted_at, service_date, public_name, identity, suspicion, kept_from, body_hash)
  SELECT key || '-' || :copy, name || ' ' || :copy, :copy || '.' || email, phone, message, attending, add_to_calendar,
    calendar_type, created_at, deleted_at, service_date, public_name, lower(name) || ' ' || :copy, suspicion, kept_from, body_hash
  FROM rsvps WHERE id <= ${SEEDED} ORDER BY id`
const COPY_FAMILY = `
  INSERT INTO family_members (rsvp_id, position, name, age, attending)
  SELECT rsvp_id + ${SEEDED} * :copy, position, name, age, attending FROM family_members WHERE rsvp_id <= ${SEEDED}`
const COPY_ROLES = `
  INSERT INTO volunteer_signups (rsvp_id, role_id)
  SELECT rsvp_id + ${SEEDED} * :copy, role_id FROM volunteer_signups WHERE rsvp_id <= ${SEEDED}`
const CUT_OFF = 'DELETE FROM rsvps WHERE id > :count'

const WEEKS = 52
/** A year of a church with a hundred responses a week; pages for visitors show those of this week. */
export const YEAR_OF_HUNDREDS = 100 * WEEKS
const SCHEDULE = ['--weekday', 'saturday', '--start', '10:00', '--duration', '2h', '--time-zone', 'UTC']
const schedule: Schedule = {
  weekday: 6,
  startTime: '10:00',
  durationMinutes: 120,
  timeZone: 'UTC',
  closesMinutesBefore: null,
  skippedDates: [],
}
/**
 * The same number for each service of a year, on whatever day this runs; later ones have higher ids. Each has a private
 * link, every tenth was changed an hour after it came.
 */
const OVER_A_YEAR = `
  UPDATE rsvps SET
    service_date = date(:service, format('-%d days', (:count - id) * ${WEEKS} / :count * 7)),
    created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-2 hours', format('-%f days', ${WEEKS} * 7.0 * (:count - id) / :count)),
    link_hash = substr(hex(randomblob(22)), 1, 43)`
const CHANGED = `
  UPDATE rsvps SET changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '1 hours') WHERE id % 10 = 0`

/** Stored in every database, as `rsvp password` does. */
export const password = 'a password of several words'

/** A database with so many responses, in a folder of its own; in open mode without the password. */
export async function copyOfStored(count: number, { open = false } = {}) {
  const made = await storedFile(count)
  const folder = await mkdtemp(join(tmpdir(), 'rsvp-bench-'))
  const file = join(folder, 'rsvp.db')
  await copyFile(made, file)
  if (open) {
    const database = new DatabaseSync(file)
    database.exec('DELETE FROM administrators')
    database.close()
  }
  return { folder, file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** The database that all rows copy; created once per version of the tables and week. */
async function storedFile(count: number): Promise<string> {
  const folder = join(tmpdir(), `rsvp-bench-stored-${await versionOfTables()}-${thisService()}`)
  const file = join(folder, `${count}.db`)
  if (existsSync(file)) return file
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `${count}-${process.pid}.db`)
  process.stderr.write(`Making a database of ${count.toLocaleString('en-US')} responses…\n`)
  await fill(unfinished, count)
  await rename(unfinished, file)
  await rm(`${unfinished}-journal`, { force: true })
  return file
}

async function fill(file: string, count: number): Promise<void> {
  if (count > SEEDED) await copyFile(await storedFile(SEEDED), file)
  else {
    rsvp(file, ['password', '--quiet'], password)
    rsvp(file, ['schedule', '--quiet', ...SCHEDULE])
    if (count > 0) rsvp(file, ['add', '--quiet', '--samples', String(count)])
  }
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN')
  const statements = [COPY, COPY_FAMILY, COPY_ROLES].map((text) => database.prepare(text))
  const copies = Math.ceil(count / SEEDED)
  for (let copy = 1; copy < copies; copy++) for (const statement of statements) statement.run({ copy: BigInt(copy) })
  database.prepare(CUT_OFF).run({ count })
  // A BigInt is an integer in SQL as well, so that weeks are whole.
  database.prepare(OVER_A_YEAR).run({ count: BigInt(count), service: thisService() })
  database.exec(`${CHANGED}; COMMIT; PRAGMA journal_mode=DELETE`)
  database.close()
}

function thisService(): string {
  return nextService(schedule, new Date()).date
}

function rsvp(file: string, words: string[], input = ''): void {
  execFileSync(join(root, 'cli', 'rsvp'), words, { env: { ...process.env, DATABASE_URL: `file:${file}` }, input })
}

async function versionOfTables(): Promise<string> {
  const journal = await readFile(join(root, 'db', 'migrations', 'meta', '_journal.json'))
  return createHash('sha256').update(journal).digest('hex').slice(0, 12)
}
