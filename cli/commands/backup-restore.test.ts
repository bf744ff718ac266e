import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { damage, renameUnmarked, testCopies } from '../copies-fixtures.ts'
import { inDatabase, rsvp, rsvpProcess, testFolder, testResponses } from '../fixtures.ts'

const { folder, url } = testResponses(20)
const target = url.slice('file:'.length)
const PAGE_SIZE = 4096
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
    expect(JSON.parse(again.stdout)).toMatchObject({ file: backup, responses: 20, guarded: false })
    expect((await rsvp(empty.url, ['list'])).stdout.match(/^\d+/gm)).toHaveLength(20)
  })

  it('refuses what is no file, several, and where the database is a server', async () => {
    expect(await restore(url, 'missing.db', '--yes')).toMatchObject({ code: 3, stdout: '' })
    expect(await restore(url, 'one.db', 'two.db', '--yes')).toMatchObject({ code: 2, stdout: '' })
    const other = { code: 2, stderr: expect.stringContaining(`rsvp transfer URL --db file:${backup}`) }
    expect(await restore('http://127.0.0.1:9', backup, '--yes')).toMatchObject(other)
  })

  it('refuses while a site runs; forced, the site goes on with the backup', async () => {
    const site = await startBuiltServer()
    const served = `file:${join(site.folder, 'rsvp.db')}`
    const refused = { code: 1, stderr: expect.stringMatching(/^A site is running on .+--force\.\n$/) }
    expect(await restore(served, backup, '--yes')).toMatchObject(refused)
    const shown = async () => (await fetch(`${site.url}/api/rsvps`)).json()
    expect(await shown()).toEqual([])
    expect((await restore(served, backup, '--yes', '--force')).code).toBe(0)
    const body = JSON.stringify({ name: 'New Person', email: 'new@cole.example', attending: true })
    const headers = { 'content-type': 'application/json' }
    const sent = await fetch(`${site.url}/api/rsvp`, { method: 'POST', headers, body })
    expect([sent.status, await sent.json()]).toMatchObject([201, { id: 21 }])
    expect(await shown()).toHaveLength(21)
    await site.stop()
  })
})

describe('rsvp backup restore, of a copy', () => {
  const { folder, away, identity, backUp, withoutKey } = testCopies()

  /** All that a new server has: the identity, and where the copies are. */
  const known = () => ({ BACKUP_COPY_TO: away, BACKUP_COPY_IDENTITY_FILE: identity })
  const restoreCopy = (target: string, words: string[], variables = {}) =>
    rsvp(target, ['backup', 'restore', ...words, '--yes'], { env: { ...known(), ...variables } })

  it('brings everything back to a new server, which knows nothing but the identity and the place', async () => {
    await backUp()
    const { url: fresh } = testFolder()
    const listed = await rsvp(fresh, ['backup', 'list'], { env: known() })
    const file = listed.stdout.trim().split('\t').at(-1) ?? ''
    expect(await restoreCopy(fresh, [file])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`It is the copy that the site sent.\nRestored 30 responses from ${file}\n`),
    })
    const data = dirname(fresh.slice('file:'.length))
    expect(readdirSync(data).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(statSync(join(data, 'rsvp.db')).mode & 0o777).toBe(0o600)
    const stored = inDatabase(fresh, (rows) =>
      rows.prepare("SELECT subject FROM audit_entries WHERE action = 'backup restored'").get(),
    )
    expect(stored).toEqual({ subject: file })
  })

  it('says what it cannot prove where the identity is all there is, and restores all the same', async () => {
    const copy = await backUp()
    const bare = withoutKey()
    const { url: fresh } = testFolder()
    expect(await restoreCopy(fresh, [copy.slice(away.length + 1)], { BACKUP_COPY_IDENTITY_FILE: bare })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Its origin could not be verified: [^\n]+\nRestored 30 responses/),
    })
  })

  it('takes its name, and a file that was brought here', async () => {
    const copy = await backUp()
    const here = join(folder, 'brought.db.age')
    copyFileSync(copy, here)
    for (const [given, variables] of [
      [copy.slice(away.length + 1), {}],
      [here, { BACKUP_COPY_TO: '' }],
    ] as const) {
      const { url: fresh } = testFolder()
      expect((await restoreCopy(fresh, [given, '--unproved'], variables)).code).toBe(0)
    }
  })

  it.each<[string, number, (copy: string) => unknown, object, RegExp]>([
    ['is damaged', 78, damage, {}, /\.age is damaged\. Try another one\.\n$/],
    ['has the name of another one', 78, replaceByOther, {}, /is not the copy that the site sent/],
    ['has lost its mark', 78, (copy) => renameUnmarked(copy, String), {}, /lacks the mark.+ add --unproved/],
    ['has gone', 1, (copy) => rmSync(copy), {}, /away cannot be used: it is not there/],
    ['cannot be decrypted', 1, () => {}, { BACKUP_COPY_IDENTITY_FILE: '' }, /set BACKUP_COPY_IDENTITY_FILE/],
  ])('changes nothing where it %s', async (_, code, change, variables, message) => {
    const copy = await backUp()
    await change(copy)
    const { url: fresh } = testFolder()
    const name = readdirSync(away)[0] ?? copy.slice(away.length + 1)
    const ended = await restoreCopy(fresh, [name, '--quiet'], variables)
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(message) })
    expect(existsSync(fresh.slice('file:'.length))).toBe(false)
  })

  /** By what anyone can make who knows the recipient, or by an older copy: both decrypt. */
  async function replaceByOther(copy: string): Promise<void> {
    copyFileSync(await backUp(), copy)
  }
})

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
  ])('is found by its examination, with %s named', async (named, sql) => {
    // What `rsvp backup restore` starts in a process of its own.
    const { stdout } = await rsvp(url, ['examine', hostile(sql)])
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'altered',
      objects: expect.arrayContaining([expect.stringContaining(named)]),
    })
  })

  it.each([
    ['trigger stay on sessions', 'CREATE TRIGGER stay AFTER DELETE ON sessions BEGIN SELECT 1; END'],
    ['rsvps.name (20 of another form)', "UPDATE rsvps SET name = CAST(X'41ff42c3' AS TEXT)"],
  ])(
    'is refused by every command, is no database from which a site starts, and the doctor names %s',
    async (named, sql) => {
      const found = expect.stringContaining(named)
      const file = hostile(sql)
      const refused = { code: 78, stderr: found }
      const before = readFileSync(target)
      expect(await rsvp(url, ['backup', 'restore', file, '--yes'])).toMatchObject(refused)
      expect(readFileSync(target).equals(before)).toBe(true)
      expect(await rsvp(url, ['backup', 'verify', file])).toMatchObject(refused)
      expect(await rsvp(`file:${file}`, ['transfer', 'http://127.0.0.1:1'])).toMatchObject(refused)
      expect(await rsvpProcess(`file:${file}`, ['serve', '--port', '0'])).toMatchObject(refused)
      expect(await rsvp(`file:${file}`, ['doctor'])).toMatchObject({ code: 1, stdout: found })
    },
  )

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
    const ended = await Promise.all([
      rsvpProcess(url, ['backup', 'restore', pipe, '--yes']),
      rsvpProcess(url, ['backup', 'verify', pipe]),
      rsvpProcess(url, ['import', pipe, '--yes']),
      // The newest backup, where whoever has put it there may write.
      rsvpProcess(url, ['backup', 'verify'], { env: { BACKUP_DIR: folder } }),
      rsvpProcess(`file:${pipe}`, ['list']),
    ])
    const failed = { ...refused, code: 1 }
    expect(ended).toMatchObject([refused, failed, failed, failed, { code: 78 }])
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
