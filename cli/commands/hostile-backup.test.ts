import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { inDatabase, rsvp, rsvpProcess, testResponses } from '../fixtures.ts'

const { folder, url } = testResponses(20)
const target = url.slice('file:'.length)
const PAGE_SIZE = 4096
const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x'

/** A copy of the database to which its maker has added something. */
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
        INSERT INTO sessions (token_hash, created_at, used_at) VALUES ('mine', 0, 9e12); END`,
    ],
    ['trigger gone on audit_entries', 'CREATE TRIGGER gone AFTER INSERT ON audit_entries BEGIN DELETE FROM rsvps; END'],
    [
      'trigger keep_erased_keys on rsvps',
      `DROP TRIGGER keep_erased_keys; CREATE TRIGGER keep_erased_keys AFTER DELETE ON rsvps
        BEGIN DELETE FROM passwords; END`,
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
    // As if a newer version had made it.
    [
      'table extra',
      `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', 1);
        INSERT INTO additive_migrations VALUES ('newer'); CREATE TABLE extra (x, y AS (hex(zeroblob(300000000))))`,
    ],
    ...['x, "y\'" text, z AS (hex(zeroblob(300000000))), "\'" text', 'x text DEFAULT\n(hex(zeroblob(300000000)))'].map(
      (columns): [string, string] => [
        'table hidden',
        `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', 1);
          INSERT INTO additive_migrations VALUES ('newer'); CREATE TABLE hidden (${columns})`,
      ],
    ),
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
  ])('is refused by every command, with %s named', async (named, sql) => {
    const before = readFileSync(target)
    const file = hostile(sql)
    const refused = { code: 78, stderr: expect.stringContaining(named) }
    expect(await rsvp(url, ['backup', 'restore', file, '--yes'])).toMatchObject(refused)
    expect(await rsvp(url, ['backup', 'verify', file])).toMatchObject(refused)
    expect(await rsvp(`file:${file}`, ['transfer', 'http://127.0.0.1:1'])).toMatchObject(refused)
    expect(readFileSync(target).equals(before)).toBe(true)
  })

  it('is no database from which a site starts, and the doctor says why', async () => {
    const found = expect.stringContaining('trigger stay on sessions')
    const file = hostile('CREATE TRIGGER stay AFTER DELETE ON sessions BEGIN SELECT 1; END')
    expect(await rsvpProcess(`file:${file}`, ['serve', '--port', '0'])).toMatchObject({ code: 78, stderr: found })
    expect(await rsvp(`file:${file}`, ['doctor'])).toMatchObject({ code: 1, stdout: found })
  })

  it('is fine with the statistics of SQLite in it', async () => {
    expect(await rsvp(url, ['backup', 'verify', hostile('ANALYZE')])).toMatchObject({ code: 0 })
  })

  it('is found no better by `verify` than by `restore` where a newer version has written it', async () => {
    const file = hostile("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', 1)")
    const refused = { stderr: expect.stringContaining('was written by a newer version. Update the site first') }
    expect(await rsvp(url, ['backup', 'verify', file])).toMatchObject({ ...refused, code: 1 })
    expect(await rsvp(url, ['backup', 'restore', file, '--yes'])).toMatchObject({ ...refused, code: 78 })
  })

  it('may have tables to which a newer version has only added something', async () => {
    const file = hostile(`
      INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', 1);
      INSERT INTO additive_migrations VALUES ('newer');
      CREATE TABLE \`hymns\` (\`id\` integer PRIMARY KEY DEFAULT 1 NOT NULL, \`title\` text DEFAULT 'It''s (new)' NOT NULL,
        CONSTRAINT "one_hymn" CHECK("hymns"."id" = 1));
      CREATE INDEX \`hymns_title\` ON \`hymns\` (\`title\`, title COLLATE NOCASE) WHERE title <> '';
      ALTER TABLE \`rsvps\` ADD \`seat\` text DEFAULT '' NOT NULL`)
    expect(await rsvp(url, ['backup', 'verify', file])).toMatchObject({ code: 0 })
  })

  it('is refused where it is a pipe, without waiting for its other end', async () => {
    const pipe = join(folder, 'rsvp-2026-01-01T00-00-00.000Z.db')
    execFileSync('mkfifo', [pipe])
    const refused = { code: 78, stderr: expect.stringMatching(/is a pipe, a device or a folder, and not a file\./) }
    expect(await rsvpProcess(url, ['backup', 'restore', pipe, '--yes'])).toMatchObject(refused)
    expect(await rsvpProcess(url, ['backup', 'verify', pipe])).toMatchObject({ ...refused, code: 1 })
    expect(await rsvpProcess(url, ['import', pipe, '--yes'])).toMatchObject({ ...refused, code: 1 })
    // The newest backup, where whoever has put it there may write.
    const env = { BACKUP_DIR: folder }
    expect(await rsvpProcess(url, ['backup', 'verify'], { env })).toMatchObject({ ...refused, code: 1 })
    expect(await rsvpProcess(`file:${pipe}`, ['list'])).toMatchObject({ code: 78 })
    rmSync(pipe)
  })

  it('is given up where reading it would never end', async () => {
    const file = join(folder, 'endless.db')
    const bytes = readFileSync(target)
    writeEndlessSchema(bytes)
    writeFileSync(file, bytes)
    const env = withOverrides({ EXAMINATION_TIMEOUT_MS: 1500 })
    const { code, stderr } = await rsvpProcess(url, ['backup', 'restore', file, '--yes'], { env })
    expect([code, stderr]).toEqual([
      78,
      expect.stringMatching(/endless\.db is damaged or not a backup \(its examination/),
    ])
    expect(inDatabase(url, (rows) => rows.prepare('SELECT count(*) AS rows FROM rsvps').get())).toEqual({ rows: 20 })
    expect(readdirSync(dirname(target)).filter((name) => name.includes('.tmp'))).toEqual([])
  })
})

/** Twelve levels of pages, each of which names the next one 500 times: more pages to read than there is time. */
function writeEndlessSchema(bytes: Buffer): void {
  const levels = 12
  const children = 500
  const sql = 'CREATE TABLE IF NOT EXISTS t(a)'
  // Its length and id, the types of its five values, and these.
  const record = [6, 23, 15, 15, 1, 13 + 2 * sql.length, ...Buffer.from('tablett'), 2, ...Buffer.from(sql)]
  const row = Buffer.from([record.length, 1, ...record])
  for (let page = 1; page <= levels; page++) {
    const start = (page - 1) * PAGE_SIZE
    const header = start + (page === 1 ? 100 : 0)
    const isLast = page === levels
    bytes.fill(0, header, start + PAGE_SIZE)
    bytes[header] = isLast ? 0x0d : 0x05
    if (isLast) {
      const at = PAGE_SIZE - row.length
      bytes.writeUInt16BE(1, header + 3)
      bytes.writeUInt16BE(at, header + 5)
      bytes.writeUInt16BE(at, header + 8)
      row.copy(bytes, start + at)
      continue
    }
    const cells = page === 1 ? children - 50 : children
    bytes.writeUInt16BE(cells, header + 3)
    bytes.writeUInt16BE(PAGE_SIZE - cells * 5, header + 5)
    bytes.writeUInt32BE(page + 1, header + 8)
    for (let cell = 0; cell < cells; cell++) {
      const at = PAGE_SIZE - (cell + 1) * 5
      bytes.writeUInt16BE(at, header + 12 + cell * 2)
      bytes.writeUInt32BE(page + 1, start + at)
      bytes[start + at + 4] = 1
    }
  }
}
