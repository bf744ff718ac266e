import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { root } from '../../scripts/local-node.mjs'

/** So many come from `rsvp seed`; further ones are copies of them with other names, addresses and dates. */
const SEEDED = 1000
const COPY = `
  INSERT INTO rsvps (key, name, email, phone, message, attending, add_to_calendar, calendar_type, created_at,
    deleted_at, public_name, suspicion, kept_from, public_name_rule, body_hash)
  SELECT key || '-' || :copy, name || ' ' || :copy, :copy || '.' || email, phone, message, attending, add_to_calendar,
    calendar_type, created_at, deleted_at, public_name, suspicion, kept_from, public_name_rule, body_hash
  FROM rsvps WHERE id <= ${SEEDED} ORDER BY id`
const COPY_FAMILY = `
  INSERT INTO family_members (rsvp_id, position, name, age, attending)
  SELECT rsvp_id + ${SEEDED} * :copy, position, name, age, attending FROM family_members WHERE rsvp_id <= ${SEEDED}`
const COPY_ROLES = `
  INSERT INTO volunteer_signups (rsvp_id, role_id)
  SELECT rsvp_id + ${SEEDED} * :copy, role_id FROM volunteer_signups WHERE rsvp_id <= ${SEEDED}`
/** They came in during the last four weeks, the later the higher the number. */
const DATES = `
  UPDATE rsvps SET created_at =
    strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (28 * 86400 * (1 - id * 1.0 / (SELECT max(id) FROM rsvps))) || ' seconds')`

/** Stored in every one of them, as `rsvp password` does. */
export const password = 'a password of several words'

/** A database with so many responses, in a folder of its own that the caller removes. */
export async function copyOfStored(count: number): Promise<{ folder: string; file: string }> {
  const made = await storedFile(count)
  const folder = await mkdtemp(join(tmpdir(), 'rsvp-bench-'))
  const file = join(folder, 'rsvp.db')
  await copyFile(made, file)
  return { folder, file }
}

/** The database with so many responses that all rows copy; it is made once for each version of the tables. */
async function storedFile(count: number): Promise<string> {
  const folder = join(tmpdir(), `rsvp-bench-stored-${await versionOfTables()}`)
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
  if (count > SEEDED) {
    await copyFile(await storedFile(SEEDED), file)
    return multiply(file, count / SEEDED)
  }
  rsvp(file, ['init', '--yes', '--quiet'])
  rsvp(file, ['password', '--quiet'], password)
  if (count > 0) rsvp(file, ['seed', '--quiet', '--count', String(count)])
}

function multiply(file: string, times: number): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN')
  const statements = [COPY, COPY_FAMILY, COPY_ROLES].map((text) => database.prepare(text))
  for (let copy = 1; copy < times; copy++) for (const statement of statements) statement.run({ copy: BigInt(copy) })
  database.exec(`${DATES}; COMMIT; PRAGMA journal_mode=DELETE`)
  database.close()
}

function rsvp(file: string, words: string[], input = ''): void {
  execFileSync(join(root, 'cli', 'rsvp'), words, { env: { ...process.env, DATABASE_URL: `file:${file}` }, input })
}

async function versionOfTables(): Promise<string> {
  const migrations = (await readdir(join(root, 'db', 'migrations'))).sort()
  return createHash('sha256').update(migrations.join()).digest('hex').slice(0, 12)
}
