import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { inDatabase, rsvp, testFolder, testResponses } from '../fixtures.ts'

const { folder, url } = testResponses(3)
const file = url.slice('file:'.length)
const BACKUP_DIR = join(folder, 'backups')
const env = { HOST: '', PORT: '', PUBLIC_URL: '', SMTP_URL: '', MAIL_FROM: '', BACKUP_DIR }
let site: Awaited<ReturnType<typeof startBuiltServer>>

beforeAll(async () => {
  mkdirSync(BACKUP_DIR)
  site = await startBuiltServer({})
  env.PORT = new URL(site.url).port
  purgedAt(new Date().toISOString())
})
afterAll(() => site.stop())

const doctor = (changes: Record<string, string> = {}, database = url) =>
  rsvp(database, ['doctor', '--quiet'], { env: { ...env, ...changes } })
const purgedAt = (moment: string) => inDatabase(url, (rows) => rows.exec(`UPDATE settings SET purged_at = '${moment}'`))

describe('rsvp doctor', () => {
  it('lists what it has checked on a healthy site, and exits with 0', async () => {
    await rsvp(url, ['backup'], { env })
    const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@grace.example', PUBLIC_URL: site.url }
    const { code, stdout } = await rsvp(url, ['doctor'], { env: { ...env, ...mail } })
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      'ok\tSettings\tthey are understood',
      `ok\tDatabase\t3 responses in ${file}, every page and table is whole`,
      expect.stringMatching(/^ok\tBackup\tthe last good one was made 0 hours ago: .+\.db$/),
      `ok\tAddress\tthe site replies at ${site.url}`,
      'ok\tMail\t0 messages waiting, 0 failed: see Settings › Server › Mail',
      '',
    ])
    expect(await doctor()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['settings', { PORT: 'abc', LOG_LEVEL: 'loud' }, /^wrong\tSettings\tPORT is not a port\. .+ LOG_LEVEL [^\n]+\n$/],
    ['a file', { ADMIN_PASSWORD_FILE: '/missing' }, /^wrong\tSettings\tThe password in \/missing [^\n]+\n$/],
    ['a folder', { BACKUP_DIR: '/missing' }, /^wrong\tBackup\tThere is no folder \/missing [^\n]+\n$/],
    // Not one of the ports that fetch refuses.
    ['a port', { PORT: '49999' }, /^wrong\tAddress\tFrom this .+ \(ECONNREFUSED\)\. Start it\.\n$/],
    ['a name', { PUBLIC_URL: 'https://grace.invalid' }, /^wrong\tAddress\t.+ or look at its proxy, its name [^\n]+\n$/],
    ['mail', { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@grace.example' }, /^wrong\tMail\t[^\n]+address[^\n]+\n$/],
  ])('names %s that cannot work', async (_, changes, found) => {
    expect(await doctor(changes)).toMatchObject({ code: 1, stdout: expect.stringMatching(found), stderr: '' })
  })

  it('names a clock that is far from the last removal', async () => {
    purgedAt('2025-01-05T14:00:00.000Z')
    expect((await doctor()).stdout).toMatch(/^wrong\tClock\tNothing is [^\n]+ days after .+ 2025-01-05 14:00 UTC\./)
    purgedAt(new Date().toISOString())
  })

  it('names a missing database, a missing backup and an old one', async () => {
    expect((await doctor({}, testFolder().url)).stdout).toMatch(/^wrong\tDatabase\tThere is no database at /)
    expect((await doctor({ BACKUP_DIR: folder })).stdout).toBe('')
    inDatabase(url, (rows) => rows.exec('DELETE FROM audit_entries'))
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    expect((await doctor({ BACKUP_DIR: empty })).stdout).toMatch(/^wrong\tBackup\tThere is none: set BACKUP_DIR/)
    copyFileSync(file, join(empty, 'rsvp-2025-01-01T02-30-00.000Z.db'))
    expect((await doctor({ BACKUP_DIR: empty })).stdout).toMatch(/hours ago: .+\. Run `rsvp backup`, and see why/)
  })

  it('names the newest backup as the one to restore where a table is damaged', async () => {
    const damaged = join(folder, 'damaged.db')
    copyFileSync(file, damaged)
    const orphan =
      "PRAGMA foreign_keys=OFF; INSERT INTO family_members (rsvp_id, position, name, attending) VALUES (99, 0, 'Joel', 1)"
    inDatabase(`file:${damaged}`, (rows) => rows.exec(orphan))
    const { stdout } = await doctor({}, `file:${damaged}`)
    expect(stdout).toMatch(/^wrong\tDatabase\t\S+ is damaged .+ restore a backup: npx rsvp backup restore \S+\.db\n/)
  })
})
