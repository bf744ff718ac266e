import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { root } from '../../scripts/local-node.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { send } from '../load.ts'

/** The server, or the command that is measured, has a core of its own. The clients, this process, have the other one. */
export const onMeasuredCore = ['taskset', '--cpu-list', '0']

export const rsvp = join(root, 'cli', 'rsvp')
export const password = 'a password of several words'
/** The limit of RSVPs is kept track of, but never reached. */
const SETTINGS = { ADMIN_PASSWORD: password, RSVP_POST_LIMIT: '999999/999999' }

/** This many come from `rsvp add --samples`; further ones are copies of them with other keys and addresses. */
const SEEDED = 1000
const OWN = `'id', 'key', 'email', 'link_hash'`
/** The same number for each service of a year, on whatever day this runs; later ones have higher ids. */
const OVER_A_YEAR = `
  UPDATE rsvps SET
    service_date = date('now', 'weekday 6', format('-%d days', (:count - id) * 52 / :count * 7)),
    created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-2 hours', format('-%f days', 364.0 * (:count - id) / :count)),
    link_hash = substr(hex(randomblob(22)), 1, 43)`

export type Server = AsyncDisposable & { url: string; pid: number }
export type Site = Server & { database: string }

/** The built site with so many stored responses, guarded by a password. */
export async function startSite(stored: number): Promise<Site> {
  const copy = await copyOfStored(stored)
  const settings = { ...SETTINGS, DATABASE_URL: `file:${copy.file}` }
  const { url, pid = 0, stop } = await startBuiltServer(settings, onMeasuredCore)
  const dispose = () => stop().then(() => copy[Symbol.asyncDispose]())
  return { url, pid, database: copy.file, [Symbol.asyncDispose]: dispose }
}

/** See limit.mjs. It prints its port when it listens. */
export async function startLimit(kind: 'reply' | 'rsvp' | 'list', from: string): Promise<Server> {
  const program = join(import.meta.dirname, 'limit.mjs')
  const [command = '', ...words] = [...onMeasuredCore, process.execPath, program, kind, from]
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [printed] = await Promise.race([once(child.stdout, 'data'), exited])
  if (child.pid === undefined || !(Number(printed) > 0)) throw new Error('The limit did not start.')
  const dispose = () => Promise.all([child.kill('SIGKILL'), exited]).then(() => {})
  return { url: `http://127.0.0.1:${Number(printed)}`, pid: child.pid, [Symbol.asyncDispose]: dispose }
}

/** A database with so many responses, in a folder of its own. */
export async function copyOfStored(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-bench-'))
  const file = join(folder, 'rsvp.db')
  await using site = await startBuiltServer({ DATABASE_URL: `file:${file}` })
  await send(site.url, 'PATCH /api/schedule', { weekday: 6, startTime: '10:00', timeZone: 'UTC' })
  await site.stop()
  if (count > 0) fill(file, count)
  return { folder, file, [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }) }
}

/** As for an administrator with a terminal. */
export function environmentOf(database: string) {
  return { ...process.env, NODE_ENV: 'production', DATABASE_URL: `file:${database}` }
}

function fill(file: string, count: number): void {
  const words = ['add', '--quiet', '--samples', String(Math.min(count, SEEDED))]
  execFileSync(rsvp, words, { env: environmentOf(file) })
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN')
  const listed = `SELECT group_concat(name) AS names FROM pragma_table_info('rsvps') WHERE name NOT IN (${OWN})`
  const columns = database.prepare(listed).get()?.names
  const copies = [
    `INSERT INTO rsvps (key, email, ${columns})
      SELECT key || '-' || :copy, :copy || '.' || email, ${columns} FROM rsvps WHERE id <= ${SEEDED} ORDER BY id`,
    `INSERT INTO family_members (rsvp_id, position, name, age, attending)
      SELECT rsvp_id + ${SEEDED} * :copy, position, name, age, attending FROM family_members WHERE rsvp_id <= ${SEEDED}`,
    `INSERT INTO volunteer_signups (rsvp_id, role_id)
      SELECT rsvp_id + ${SEEDED} * :copy, role_id FROM volunteer_signups WHERE rsvp_id <= ${SEEDED}`,
  ].map((sql) => database.prepare(sql))
  // A BigInt is an integer in SQL as well, so that weeks are whole.
  for (let copy = 1n; copy < count / SEEDED; copy++) for (const statement of copies) statement.run({ copy })
  database.prepare('DELETE FROM rsvps WHERE id > :count').run({ count })
  database.prepare(OVER_A_YEAR).run({ count: BigInt(count) })
  database.exec('COMMIT; PRAGMA journal_mode=DELETE')
  database.close()
}
