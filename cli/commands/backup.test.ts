import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inDatabase, rsvp, testResponses } from '../fixtures.ts'
import { rsvpDrawn } from '../terminal-fixtures.ts'

const { folder, url } = testResponses(3)
const database = url.slice('file:'.length)
const backups = join(folder, 'backups')
const name = (year: number) => join(backups, `rsvp-${year}-01-05T02-30-00.000Z.db`)
const [older, newest, future] = [name(2024), name(2025), name(2999)]
/** Runs the command with BACKUP_DIR set, unless `env` says otherwise. */
const backup = (words: string[], env = { BACKUP_DIR: backups }, place = url) =>
  rsvp(place, ['backup', ...words], { env })
const unset = { BACKUP_DIR: '' }
const into = ['--out', backups]
const silent = { code: 0, stdout: '', stderr: '' }
const unknownFolder = { code: 2, stderr: expect.stringMatching(/^Say where, or set BACKUP_DIR\.\n/) }
const damage = (file: string) => readFileSync(file).fill(255, 8192, 8300)

beforeEach(() => {
  rmSync(backups, { recursive: true, force: true })
  mkdirSync(backups)
})

describe('rsvp backup', () => {
  it('saves everything, silently in a pipe, with a message on a terminal', async () => {
    expect(await backup(into, unset)).toEqual(silent)
    const terminal = await rsvpDrawn(url, ['backup', ...into, '--keep', '1'])
    const [only = '', ...others] = readdirSync(backups).map((file) => join(backups, file))
    expect(others).toEqual([])
    const screen = terminal.screen().replaceAll('\n', '')
    expect(screen).toContain(`Saved 3 responses and everything else in ${only}`)
    expect(screen).toContain('Removed 1 older backup.')
    const count = inDatabase(`file:${only}`, (rows) => rows.prepare('SELECT count(*) AS count FROM rsvps').get())
    expect(count).toEqual({ count: 3 })
    expect(statSync(only).mode & 0o777).toBe(0o600)
  })

  it('refuses a missing folder, whose disk may not be mounted, and to run without a folder', async () => {
    rmdirSync(backups)
    const stderr = `There is no folder ${backups} for backups: mount its disk, or create it.\n`
    expect(await backup(['--out', `${backups}/`], unset)).toEqual({ code: 1, stdout: '', stderr })
    expect(readdirSync(folder)).not.toContain('backups')
    expect(await backup([], unset)).toMatchObject(unknownFolder)
  })

  it('exits with 78 when the database is damaged, and keeps the older backups', async () => {
    const damaged = join(folder, 'damaged.db')
    await backup(into)
    writeFileSync(damaged, damage(database))
    const stderr = expect.stringMatching(/^[^\n]+damaged[^\n]+rsvp backup restore FILE`?\.?\n$/)
    expect(await backup([...into, '--keep', '1'], unset, `file:${damaged}`)).toEqual({ code: 78, stdout: '', stderr })
    expect(readdirSync(backups)).toHaveLength(1)
  })
})

describe('rsvp backup list and verify', () => {
  const lists = (place: string) => readdirSync(place, { recursive: true }).sort()

  beforeEach(() => {
    for (const file of [older, newest, future]) copyFileSync(database, file)
  })

  it('lists moment, size and file, the newest first, of BACKUP_DIR or --out', async () => {
    const { size } = statSync(database)
    const rows = [`2999-01-05T02:30:00.000Z\t${size}\t${future}\n`, `2025-01-05T02:30:00.000Z\t${size}\t${newest}\n`]
    expect((await backup(['list'])).stdout).toContain(rows.join(''))
    const listed = JSON.parse((await backup(['list', '--json'])).stdout)
    expect(listed[2]).toEqual({ at: '2024-01-05T02:30:00.000Z', bytes: size, file: older })
    const stderr = `There is no backup in ${folder}: \`rsvp backup\` makes one.\n`
    expect(await backup(['list', '--out', folder])).toEqual({ ...silent, stderr })
    expect(await backup(['list'], unset)).toMatchObject(unknownFolder)
  })

  it('verifies the newest backup or the given one, silently in a pipe, and changes nothing', async () => {
    inDatabase(`file:${newest}`, (rows) => rows.exec('DELETE FROM rsvps WHERE id = 3'))
    const state = () => [lists(folder), ...[newest, older, database].map((file) => readFileSync(file, 'base64'))]
    const before = state()
    expect(await backup(['verify'])).toEqual(silent)
    const [found, given] = [await backup(['verify', '--json']), await backup(['verify', older, '--json'])]
    expect(JSON.parse(found.stdout)).toEqual({ file: newest, responses: 2 })
    expect(JSON.parse(given.stdout)).toMatchObject({ file: older, responses: 3 })
    const terminal = await rsvpDrawn(url, ['backup', 'verify'], { env: { BACKUP_DIR: backups }, columns: 200 })
    expect(terminal.screen()).toBe(`${newest} can be restored: it has 2 responses.`)
    expect(state()).toEqual(before)
  })

  it('refuses to verify a damaged backup, and a folder that is missing', async () => {
    const before = lists(join(folder, 'data'))
    writeFileSync(newest, damage(newest))
    const damaged = expect.stringMatching(/is damaged/)
    expect(await backup(['verify'])).toEqual({ code: 78, stdout: '', stderr: damaged })
    rmSync(backups, { recursive: true })
    const none = expect.stringMatching(/^There is no backup in \S+backups: `rsvp backup` makes one\.\n$/)
    expect(await backup(['verify'])).toEqual({ code: 3, stdout: '', stderr: none })
    expect(lists(join(folder, 'data'))).toEqual(before)
  })
})
