import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { rsvp, rsvpProcess, testFolder, testResponses } from '../fixtures.ts'

const { folder, url } = testResponses(20)
const target = url.slice('file:'.length)
const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x'
const backup = join(folder, 'backup.db')
const restore = (place: string, ...words: string[]) => rsvp(place, ['backup', 'restore', ...words])

beforeAll(() => copyFileSync(target, backup))

describe('rsvp backup restore FILE', () => {
  it('brings everything back to a new disk in one command', async () => {
    const empty = testFolder()
    const ended = await restore(empty.url, backup, '--yes')
    expect(ended).toMatchObject({ code: 0, stdout: '' })
    expect(ended.stderr).toContain(`Restored 20 responses from ${backup}\n`)
    expect(ended.stderr).toContain('What was erased since then is back: erase it again.\n')
    const again = await restore(empty.url, backup, '--yes', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ file: backup, responses: 20 })
    expect((await rsvp(empty.url, ['list'])).stdout.match(/^\d+/gm)).toHaveLength(20)
  })

  it('refuses a file that is missing, and a database on a server', async () => {
    expect(await restore(url, 'missing.db', '--yes')).toMatchObject({ code: 3, stdout: '' })
    const other = { code: 2, stderr: expect.stringContaining('--db file:./data/restored.db') }
    expect(await restore('http://127.0.0.1:9', backup, '--yes')).toMatchObject(other)
  })
})

/** Makes a copy of the database and changes it with SQL, as someone who means harm could. */
function hostile(sql: string): string {
  const file = join(folder, 'hostile.db')
  copyFileSync(target, file)
  const database = new DatabaseSync(file)
  database.enableDefensive(false)
  database.exec(sql)
  database.close()
  return file
}

describe('a backup that someone else has made', () => {
  it.each([
    [
      'trigger stay on sessions',
      `CREATE TRIGGER stay AFTER DELETE ON sessions BEGIN
        INSERT INTO sessions (administrator_id, token_hash, created_at, used_at) VALUES (1, 'mine', 0, 9e12); END`,
    ],
    [
      'trigger keep_erased_keys on rsvps',
      `DROP TRIGGER keep_erased_keys; CREATE TRIGGER keep_erased_keys AFTER DELETE ON rsvps
        BEGIN DELETE FROM administrators; END`,
    ],
    [
      'view features',
      `ALTER TABLE features RENAME TO kept; CREATE VIEW features AS ${ENDLESS} AS name, 1 AS enabled FROM n`,
    ],
    [
      'view __drizzle_migrations',
      `ALTER TABLE __drizzle_migrations RENAME TO kept; CREATE VIEW __drizzle_migrations AS ${ENDLESS} AS hash FROM n`,
    ],
    ['table notes', 'CREATE VIRTUAL TABLE notes USING fts5(text)'],
    ['index one_only on rsvps', 'CREATE UNIQUE INDEX one_only ON rsvps (attending, id)'],
    ['table rsvps', 'ALTER TABLE rsvps ADD more AS (hex(zeroblob(300000000)))'],
    ['table extra', 'CREATE TABLE extra (x CHECK (length(hex(zeroblob(300000000))) > x))'],
    [
      'table sqlite_stat1',
      `ANALYZE; PRAGMA writable_schema=ON; UPDATE sqlite_master
        SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,more,"a''" text,stat AS (length(hex(zeroblob(length(tbl))))),"b''" text)'
        WHERE name = 'sqlite_stat1'`,
    ],
    [
      'table events is missing',
      `PRAGMA foreign_keys=OFF; ${['events', 'rsvps', 'settings'].map((name) => `DROP TABLE ${name};`).join('')}
        CREATE TABLE rsvps (a)`,
    ],
  ])('is refused, with %s named, and nothing is changed', async (named, sql) => {
    const before = readFileSync(target)
    const refused = { code: 78, stderr: expect.stringContaining(named) }
    expect(await restore(url, hostile(sql), '--yes')).toMatchObject(refused)
    expect(readFileSync(target).equals(before)).toBe(true)
  })

  it.each([
    ['trigger stay on sessions', 'CREATE TRIGGER stay AFTER DELETE ON sessions BEGIN SELECT 1; END'],
    ['rsvps.name (20 of another form)', "UPDATE rsvps SET name = CAST(X'41ff42c3' AS TEXT)"],
  ])('is no database from which a site starts, and the doctor names %s', async (named, sql) => {
    const found = expect.stringContaining(named)
    const file = hostile(sql)
    expect(await rsvpProcess(`file:${file}`, ['serve', '--port', '0'])).toMatchObject({ code: 78, stderr: found })
    expect(await rsvp(`file:${file}`, ['doctor'])).toMatchObject({ code: 1, stdout: found })
  })

  it('is fine with the statistics of SQLite in it', async () => {
    expect(await restore(testFolder().url, hostile('ANALYZE'), '--yes')).toMatchObject({ code: 0 })
  })
})
