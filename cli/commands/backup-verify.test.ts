import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encryptFile } from '#db/backup/copies/encryption.ts'
import { startS3Server } from '../../scripts/testing/s3-server.mjs'
import { damage, renameUnmarked, testCopies } from '../copies-fixtures.ts'
import { inDatabase, rsvp, testFolder } from '../fixtures.ts'

const { folder, url, backups, away, env, run, makeKey, leftovers, audit, backUp, withoutKey } = testCopies()
const NOT_SENT = /\.age is not what the site sent: its name, time or contents differ\. Run/
let storage: Awaited<ReturnType<typeof startS3Server>>

beforeAll(async () => {
  storage = await startS3Server('copies')
})
afterAll(() => storage.stop())

describe('rsvp backup verify', () => {
  const verify = async (words: string[] = [], variables = {}) => {
    const { code, stdout } = await run(['verify', '--json', ...words], variables)
    const { finding, text, copy } = JSON.parse(stdout)
    expect(code).toBe(finding === 'fine' ? 0 : finding === 'altered' ? 78 : 1)
    // Whatever was restored beside the database is gone.
    expect(leftovers()).toEqual([])
    return { finding, text, copy }
  }

  it('restores the newest copy beside the database, and puts that on record', async () => {
    await backUp()
    const copy = await backUp()
    const text = `${copy} can be restored: it holds 30 responses, 30 with the deleted ones, the latest with the id 30, as many as it was made with. It is the one that the site has sent.`
    expect(await verify()).toEqual({ finding: 'fine', text, copy })
    expect(audit().at(-1)).toBe(`drill passed ${copy}`)
    expect(await run(['verify'])).toMatchObject({ code: 0, stdout: '', stderr: '' })
    damage(copy)
    const stderr = expect.stringMatching(/\.age is damaged/)
    expect(await run(['verify', '--quiet'])).toMatchObject({ code: 1, stdout: '', stderr })
  })

  it('is as strict with a copy in a storage', async () => {
    const variables = { BACKUP_COPY_TO: 's3://copies/grace', ...storage.settings }
    expect((await run([], variables)).code).toBe(0)
    const { finding, copy } = await verify([], variables)
    expect([finding, copy]).toEqual(['fine', expect.stringMatching(/^s3:\/\/copies\/grace\/rsvp-.+\.age$/)])
    const stored = storage.fileOf(copy.slice('s3://copies/'.length))
    damage(stored)
    expect(await verify([], variables)).toMatchObject({ finding: 'damaged' })
  })

  const year = (name: string) => (old: string) => old.replace(/rsvp-\d{4}/, `rsvp-${name}`)
  it.each<[string, string, (copy: string) => unknown, RegExp]>([
    [
      'was damaged',
      'damaged',
      damage,
      /\.age is damaged \(it does not decrypt to its end\)\. Run `rsvp backup` for a new one/,
    ],
    ['is too old', 'too old', (copy) => beforeMarks(copy, year('2020')), /is too old: it was made \d+ days ago\. Run/],
    [
      'is ahead',
      'too old',
      (copy) => beforeMarks(copy, year('2090')),
      /is from the future, so its age is unknown\. Check/,
    ],
    [
      'is not the file that was sent',
      'other counts',
      (copy) => beforeMarks(copy, (name) => name.replace('30-30-30', '31-31-31')),
      /holds 30 responses, .+, and was made with 31 responses/,
    ],
    ['is another database', 'not a backup', replaceByForeign, /\.age is not a backup of this site\./],
    ['is damaged inside', 'damaged', replaceByDamaged, /\.age is damaged \(.+\)\. Run/],
    [
      'holds what no version makes',
      'altered',
      (copy) => forge(copy, copy, 'CREATE TRIGGER stay AFTER DELETE ON sessions BEGIN SELECT 1; END'),
      /differs from what this site creates: trigger stay on sessions\./,
    ],
    ['is another one under its name', 'forged', (copy) => forge(copy, copy), NOT_SENT],
    ['has another time', 'forged', (copy) => renameSync(copy, year('2090')(copy)), NOT_SENT],
    [
      'was never sent',
      'forged',
      (copy) => forge(copy, copy.replace(/rsvp-\d{4}(.+)\.[\da-f]{32}/, 'rsvp-2090$1')),
      NOT_SENT,
    ],
    [
      'is an older one',
      'missing',
      async () => rmSync(await backUp()),
      /is not at \S+away, though it was sent there; the newest/,
    ],
    [
      'has lost its mark',
      'unproved',
      (copy) => beforeMarks(copy, String),
      /could not be verified: its name lacks the mark/,
    ],
    ['has gone', 'none there', (copy) => rmSync(copy), /^There is no backup at \S+\/away: run `rsvp backup`\.\n?$/],
  ])('finds a copy that %s', async (_, finding, change, text) => {
    const copy = await backUp()
    await change(copy)
    expect(await verify()).toMatchObject({ finding, text: expect.stringMatching(text) })
    expect(audit().at(-1)).toMatch(new RegExp(`^drill failed ${finding}: \\S+/away`))
  })

  it('finds a copy that cannot be decrypted with the identity', async () => {
    await backUp()
    const other = join(folder, 'new.txt')
    await makeKey(other)
    const identities: [string, RegExp][] = [
      [other, /none of the identities in \S+new\.txt fits/],
      ['/nonexistent/id.txt', /^The identity in \/nonexistent\/id\.txt cannot be read \(ENOENT\)\. Restore/],
      [url.slice('file:'.length), /holds a line that is not an age identity/],
      ['', /^Copies are encrypted: set BACKUP_COPY_IDENTITY_FILE/],
    ]
    for (const [BACKUP_COPY_IDENTITY_FILE, text] of identities) {
      const found = await verify([], { BACKUP_COPY_IDENTITY_FILE })
      expect(found).toMatchObject({ finding: 'cannot be decrypted', text: expect.stringMatching(text) })
      expect(found.text).not.toContain('SECRET')
    }
  })

  it('proves a copy that was sent with the tables of another version', async () => {
    await backUp()
    const change = (sql: string) => inDatabase(url, (rows) => rows.exec(sql))
    change(`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of another', 0)`)
    const copy = await backUp()
    change(`UPDATE secrets SET name = 'other' WHERE name = 'submissions'`)
    const refused = await run([])
    change(`UPDATE secrets SET name = 'submissions' WHERE name = 'other'`)
    change(`DELETE FROM __drizzle_migrations WHERE hash = 'of another'`)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(
      /was saved, but no copy of it was sent\. .+another version.+ is sent after the next start/,
    )
    // Not forged.
    expect(await verify()).toMatchObject({ finding: 'newer', copy })
  })

  it('finds that the place is away', async () => {
    const found = await verify([], { BACKUP_COPY_TO: '/nonexistent/away' })
    expect(found).toMatchObject({
      finding: 'unreachable',
      text: expect.stringMatching(/^\/nonexistent\/away cannot be/),
    })
  })

  it('looks at the age that was asked for, and of one that was chosen only then', async () => {
    const copy = await backUp()
    const old = beforeMarks(copy, (name) => name.replace(/rsvp-\d{4}/, 'rsvp-2020'))
    const bare = { BACKUP_COPY_IDENTITY_FILE: withoutKey() }
    expect((await verify(['--max-age', '999999'], bare)).finding).toBe('fine')
    const before = audit()
    expect((await verify([old], bare)).finding).toBe('fine')
    expect((await verify([old.slice(away.length + 1)])).finding).toBe('unproved')
    expect((await verify([old, '--max-age', '24'], bare)).finding).toBe('too old')
    // Only the drill of the newest one tells how things are.
    expect(audit()).toEqual(before)
  })

  it('proves a backup where there is no other place, by what was stored of it', async () => {
    const backupsOnly = { BACKUP_COPY_TO: '' }
    await run([], backupsOnly)
    const [name = ''] = readdirSync(backups)
    expect(await verify([], backupsOnly)).toMatchObject({ finding: 'fine', copy: join(backups, name) })
    expect(readdirSync(backups)).toEqual([name])
    inDatabase(`file:${join(backups, name)}`, (rows) => rows.exec('DELETE FROM rsvps WHERE id = 3'))
    expect(await verify([], backupsOnly)).toMatchObject({ finding: 'other counts' })
    damage(join(backups, name))
    expect(await verify([], backupsOnly)).toMatchObject({ finding: 'damaged' })
  })

  it('does without a database, and says what does not exist', async () => {
    const copy = await backUp()
    const { url: lost } = testFolder()
    const ended = await rsvp(lost, ['backup', 'verify', '--json'], { env })
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { finding: 'fine', copy }])
    const { code, stderr } = await run(['verify', 'missing.db'])
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^There is no such file: \S+missing\.db\n$/)])
    const none = { BACKUP_COPY_TO: '', BACKUP_DIR: '' }
    expect(await run(['verify'], none)).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/^Set BACKUP_COPY_TO or/),
    })
  })
})

/** As an older version left it, which sent copies without a mark and kept nothing of them. */
function beforeMarks(copy: string, change: (name: string) => string): string {
  inDatabase(url, (rows) => rows.exec('DELETE FROM audit_entries'))
  return renameUnmarked(copy, change)
}

/** What anyone can make who knows the recipient. */
async function forge(copy: string, name: string, sql = ''): Promise<void> {
  const file = join(folder, 'forged.db')
  copyFileSync(join(backups, String(readdirSync(backups)[0])), file)
  inDatabase(`file:${file}`, (rows) => rows.exec(sql))
  rmSync(copy)
  await encryptFile(file, name, [String(env.BACKUP_COPY_RECIPIENT)], new AbortController().signal)
}

async function replaceByForeign(copy: string): Promise<void> {
  const file = join(folder, 'foreign.db')
  inDatabase(`file:${file}`, (database) => database.exec('CREATE TABLE IF NOT EXISTS sermons (title TEXT)'))
  await encryptFile(file, copy, [String(env.BACKUP_COPY_RECIPIENT)], new AbortController().signal)
}

/** Nothing is wrong with its encryption: it was damaged before. */
async function replaceByDamaged(copy: string): Promise<void> {
  const file = join(folder, 'damaged.db')
  copyFileSync(join(backups, String(readdirSync(backups)[0])), file)
  damage(file)
  await encryptFile(file, copy, [String(env.BACKUP_COPY_RECIPIENT)], new AbortController().signal)
}
