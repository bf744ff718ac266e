import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inDatabase, inShell, makeDatabase, rsvp, testFolder, testResponses } from '../fixtures.ts'
import { canBecome } from '../installation-fixtures.ts'

const { folder } = testFolder()
const many = testResponses(3000)
/** Also what a developer's own .env would set. No site runs at that port. */
const env = { HOST: '', PORT: '9', PUBLIC_URL: '', RSVP_ACCESS: '', ADMIN_PASSWORD: '', BACKUP_DIR: '' }
const isRoot = process.getuid?.() === 0
/** Another account than the one that runs the tests. */
const OTHER_ACCOUNT = 65534

/** Where a database may be, in a folder of its own that no other account can look into. */
function privateFile(name: string): string {
  mkdirSync(join(folder, name), { mode: 0o700 })
  return join(folder, name, 'rsvp.db')
}

/** What is said of each thing, and the names of what is wrong, apart from the site that does not run. */
async function examined(url: string, changes: Record<string, string> = {}) {
  const { stdout } = await rsvp(url, ['doctor', '--json'], { env: { ...env, ...changes } })
  const findings: { name: string; ok: boolean; text: string }[] = JSON.parse(stdout)
  const wrong = findings.filter(({ name, ok }) => !ok && name !== 'Address').map(({ name }) => name)
  return { wrong, told: Object.fromEntries(findings.map(({ name, text }) => [name, text])) }
}

describe('rsvp doctor, of the database', () => {
  it('misses a database, and makes none', async () => {
    const file = privateFile('missing')
    const { told, wrong } = await examined(`file:${file}`)
    expect(wrong).toEqual(['Database'])
    expect(told.Database).toMatch(
      `There is no database at ${file}. Restore a backup with \`npx rsvp backup restore FILE\`. If there never was`,
    )
    expect(existsSync(file)).toBe(false)
    const missing = await examined(`file:${join(folder, 'missing folder', 'rsvp.db')}`)
    expect(missing.wrong).toEqual(['Database', 'Disk'])
    expect(missing.told.Disk).toBe(`${join(folder, 'missing folder')} cannot be looked at: check DATABASE_URL.`)
    expect(existsSync(join(folder, 'missing folder'))).toBe(false)
  })

  it.each([
    ['an entry of an index', 0x0a, 4088],
    ['a page of responses', 0x0d, 0],
  ])('tells to restore a backup where %s is damaged', async (what, kind, offset) => {
    const file = privateFile(what)
    const bytes = readFileSync(many.url.slice('file:'.length))
    const starts = Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096)
    // The first byte of a page says what it is (SQLite's file format, section 1.6); nearly all hold responses.
    const pages = starts.filter((start) => bytes[start] === kind)
    expect(pages.length).toBeGreaterThan(10)
    const from = (pages[Math.floor(pages.length / 2)] ?? 0) + offset
    for (let at = from; at < from + 8; at++) bytes[at] = 255 - (bytes[at] ?? 0)
    writeFileSync(file, bytes, { mode: 0o600 })
    const { told, wrong } = await examined(`file:${file}`)
    expect(wrong).toHaveLength(1)
    expect(told[wrong[0] ?? '']).toMatch(/damaged.+Stop the site and restore a backup: npx rsvp backup restore FILE$/)
  })

  it('warns of a file that other accounts can read, not of its folder, and leaves it so', async () => {
    const file = privateFile('open')
    await makeDatabase(`file:${file}`)
    chmodSync(dirname(file), 0o755)
    expect((await examined(`file:${file}`)).wrong).toEqual([])
    for (const mode of ['640', '604']) {
      chmodSync(file, mode)
      const { told, wrong } = await examined(`file:${file}`)
      expect(wrong).toEqual(['Permissions'])
      expect(told.Permissions).toContain(file)
      expect((statSync(file).mode & 0o777).toString(8)).toBe(mode)
    }
  })

  it('warns of a disk that is full', async () => {
    // There never is room in /proc.
    const { told, wrong } = await examined('file:/proc/rsvp.db')
    expect(wrong).toContain('Disk')
    expect(told.Disk).toBe('Only 0 MB free: make room.')
  })

  it('names the backup to bring back where the database is missing or none', async () => {
    const file = privateFile('away')
    const BACKUP_DIR = join(folder, 'my backups')
    await makeDatabase(`file:${file}`)
    const made = await rsvp(`file:${file}`, ['backup', '--json', '--create-folder', '--out', BACKUP_DIR])
    const root = "SELECT (rootpage - 1) * 4096 AS start FROM sqlite_schema WHERE name = 'audit_entries'"
    const page = inDatabase(`file:${file}`, (database) => database.prepare(root).get())
    const orphan = "PRAGMA foreign_keys = OFF; INSERT INTO family_members VALUES (999, 0, 'Ana', NULL, 1, 0)"
    inDatabase(`file:${file}`, (database) => database.exec(orphan))
    const { told, wrong } = await examined(`file:${file}`)
    expect(wrong).toEqual(['Integrity'])
    expect(told.Integrity).toContain('A row of family_members refers to a missing row.')
    expect(told.Integrity).toContain(`rsvp backup restore '${JSON.parse(made.stdout).file}'`)
    const bytes = readFileSync(file)
    rmSync(file)
    const command = `npx rsvp backup restore '${JSON.parse(made.stdout).file}'`
    const todo = `Stop the site and restore a backup: ${command}`
    expect((await examined(`file:${file}`, { BACKUP_DIR })).told).toMatchObject({
      Database: `There is no database at ${file}. ${todo}`,
    })
    expect(existsSync(file)).toBe(false)
    // Where it does not tell any more when it was saved.
    bytes.fill(255, Number(page?.start), Number(page?.start) + 4096)
    writeFileSync(file, bytes, { mode: 0o600 })
    expect((await examined(`file:${file}`, { BACKUP_DIR })).told.Integrity).toMatch(new RegExp(`damaged .+${todo}$`))
    // Where it is one without a byte.
    writeFileSync(file, '', { mode: 0o600 })
    const damaged = `The database at ${file} is damaged (it is empty); nothing was changed.`
    expect((await examined(`file:${file}`, { BACKUP_DIR })).told).toMatchObject({
      Database: `${damaged} Restore a backup: ${command}`,
    })
    expect(readFileSync(file, 'utf8')).toBe('')
    writeFileSync(file, 'Dear diary', { mode: 0o600 })
    expect((await examined(`file:${file}`, { BACKUP_DIR })).told.Database).toContain(
      `restore a backup with \`${command}\``,
    )
  })

  it('says that nothing can be stored where it may only read the folder', async ({ skip }) => {
    const place = dirname(privateFile('read only'))
    await makeDatabase(`file:${place}/rsvp.db`)
    chmodSync(place, 0o500)
    // Drops root's capability to write against the permissions.
    const powerless = isRoot ? 'setpriv --bounding-set=-dac_override,-dac_read_search ' : ''
    const { code, stdout } = await inShell(`file:${place}/rsvp.db`, `${powerless}rsvp doctor --quiet`, { env })
    chmodSync(place, 0o700)
    skip(code === 127, 'There is no setpriv here.')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^wrong\tWriting\tThe database can only be read: /m)
  })

  it('takes a folder that it may not look into for a missing permission', async ({ skip }) => {
    skip(!canBecome(OTHER_ACCOUNT), 'Only root can become another account, and only where that can reach the project.')
    const closed = `file:${join(folder, 'closed', 'rsvp.db')}`
    await makeDatabase(closed)
    chmodSync(join(folder, 'closed'), 0o700)
    const line = 'setpriv --reuid=65534 --regid=65534 --clear-groups rsvp doctor --quiet'
    const { code, stdout } = await inShell(closed, line, { env })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^wrong\tDatabase\t[^\n]*EACCES/m)
    expect(stdout).not.toContain('Permissions')
  })

  it('tells root of a database that the account of its folder cannot use', async ({ skip }) => {
    skip(!isRoot, 'Only root can give files away.')
    const foreign = `file:${join(folder, 'foreign', 'rsvp.db')}`
    await makeDatabase(foreign)
    chownSync(join(folder, 'foreign'), OTHER_ACCOUNT, OTHER_ACCOUNT)
    const { told, wrong } = await examined(foreign)
    expect(wrong).toEqual(['Permissions'])
    expect(told.Permissions).toContain(`chown ${OTHER_ACCOUNT}:${OTHER_ACCOUNT} `)
  })
})

describe('rsvp doctor, of mail', () => {
  it('says nothing without a server, then what keeps messages waiting, and which failed', async () => {
    const url = `file:${privateFile('mail')}`
    await makeDatabase(url)
    expect((await examined(url)).told).not.toHaveProperty('Mail')
    const server = { SMTP_URL: 'smtp://ruth:secret@mail.example', MAIL_FROM: 'rsvp@grace.example' }
    expect(await examined(url, server)).toMatchObject({
      wrong: ['Mail'],
      told: { Mail: expect.stringContaining('set PUBLIC_URL') },
    })
    const published = { ...server, PUBLIC_URL: 'http://rsvp.localhost:9', ADMIN_PASSWORD: 'three words in a row' }
    expect((await examined(url, published)).told.Mail).toBe('0 messages waiting, none failed')
    const now = new Date().toISOString()
    const add = (key: string, failedAt: string) =>
      inDatabase(url, (database) =>
        database.exec(`INSERT INTO mail_queue (key, kind, created_at, due_at, ends_at, failed_at, failure)
          VALUES ('${key}', 'sheet', '${now}', '${now}', '2099-01-01T00:00:00.000Z', ${failedAt}, 'The reason.')`),
      )
    add('sheet 1', `'${now}'`)
    expect((await examined(url, published)).told.Mail).toMatch(/^1 message failed\. The reason\. npx rsvp mail queue/)
    add('sheet 2', 'NULL')
    const waiting = await examined(url, published)
    expect(waiting).toMatchObject({ wrong: ['Mail'], told: { Mail: '1 message waiting. The reason.' } })
  })
})
