import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inDatabase, rsvp, rsvpDrawn, rsvpInTerminal, rsvpProcess, testResponses } from '../fixtures.ts'

describe('rsvp backup restore', () => {
  const { folder, url } = testResponses(1)
  const before = join(folder, 'before.db')
  const restore = (...words: string[]) => rsvp(url, ['backup', 'restore', before, '--yes', ...words])
  const change = (sql: string) => inDatabase(url, (database) => database.exec(sql))

  it('says at the question and afterwards who was removed since the backup', async () => {
    change("INSERT INTO administrators (id, name, role, created_at) VALUES (3, 'Ruth Cole', 'clerk', 0)")
    copyFileSync(url.slice('file:'.length), before)
    change('UPDATE administrators SET removed_at = 1')
    const terminal = rsvpInTerminal(url, ['backup', 'restore', before])
    await terminal.shows('Restore them? y/N')
    expect(terminal.screen()).toContain('Ruth Cole, removed since, is an administrator again.')
    terminal.press('n')
    expect(await terminal.ended).toBe(1)
    const told = 'Ruth Cole, removed since, is an administrator again. Remove them with `rsvp admins remove 3`.\n'
    expect((await restore()).stderr).toContain(told)
    expect(JSON.parse((await restore('--json')).stdout)).toMatchObject({ guarded: true, administratorsAgain: [] })
    change("UPDATE administrators SET role = 'reader'")
    const again = 'Ruth Cole, reader since, is clerk again. Change that with `rsvp admins set 3 --role reader`.\n'
    expect((await restore()).stderr).toContain(again)
  })
})

describe('rsvp backup', () => {
  const { folder, url } = testResponses(300)
  const backups = join(folder, 'backups')
  const env = { BACKUP_DIR: '' }
  const into = ['--out', backups]
  const backup = (...words: string[]) => rsvp(url, ['backup', ...words], { env })
  const made = () => readdirSync(backups).map((name) => join(backups, name))
  const count = (database: string) =>
    inDatabase(`file:${database}`, (rows) => rows.prepare('SELECT count(*) AS count FROM rsvps').get())

  beforeEach(() => {
    rmSync(backups, { recursive: true, force: true })
    mkdirSync(backups)
  })

  it('saves everything, silently in a pipe, and says so in a terminal', async () => {
    expect(await backup(...into)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    const terminal = await rsvpDrawn(url, ['backup', ...into, '--keep', '1'])
    const [only = '', ...others] = made()
    expect(others).toEqual([])
    const screen = terminal.screen().replaceAll('\n', '')
    expect(screen).toContain(`Saved 300 responses and everything else in ${only}`)
    expect(screen).toContain('Removed 1 older backup.')
    expect(count(only)).toEqual({ count: 300 })
    expect(statSync(only).mode & 0o777).toBe(0o600)
  })

  it('refuses a folder that is missing, whose disk may not be mounted, and one that is a file or none', async () => {
    rmdirSync(backups)
    const stderr = `There is no folder ${backups} for backups: mount its disk, or create it.\n`
    expect(await backup('--out', `${backups}/`)).toEqual({ code: 1, signal: null, stdout: '', stderr })
    expect(await rsvp(url, ['backup'], { env: { BACKUP_DIR: backups } })).toMatchObject({ code: 1, stderr })
    expect(readdirSync(folder)).not.toContain('backups')
    writeFileSync(backups, '')
    const file = `${backups} is a file, not a folder: choose another folder for backups.\n`
    expect(await backup(...into)).toMatchObject({ code: 1, stderr: file })
    const unknown = { code: 2, stderr: expect.stringMatching(/^Say where with --out, or set BACKUP_DIR\.\n/) }
    expect(await backup()).toMatchObject(unknown)
    const dash = { code: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]+A backup goes into a folder/) }
    expect(await backup('--out', '-')).toMatchObject(dash)
  })

  it('ends with 78 when the database is damaged, keeps the older ones, and says what to do', async () => {
    const other = join(folder, 'damaged.db')
    await backup(...into)
    writeFileSync(other, readFileSync(url.slice('file:'.length)).fill(255, 8192, 8300))
    const ended = await rsvp(`file:${other}`, ['backup', ...into, '--keep', '1'])
    expect(ended).toMatchObject({ code: 78, stdout: '' })
    expect(ended.stderr).toMatch(/^[^\n]+damaged[^\n]+rsvp backup restore FILE`?\.?\n$/)
    expect(made()).toHaveLength(1)
  })

  it('is two whole backups when two are made at once', async () => {
    const both = await Promise.all([1, 2].map(() => rsvpProcess(url, ['backup', ...into, '--json'])))
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    // Their names are the same if they begin in the same millisecond.
    const files = new Set(both.map(({ stdout }) => JSON.parse(stdout).file))
    expect(made()).toEqual([...files].sort())
    for (const file of made()) expect(count(file)).toEqual({ count: 300 })
  })
})
