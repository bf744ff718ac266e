import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inDatabase, rsvp, testResponses } from '../fixtures.ts'
import { rsvpDrawn } from '../terminal-fixtures.ts'

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

  it('saves everything, silently in a pipe, with a message on a terminal', async () => {
    expect(await backup(...into)).toEqual({ code: 0, stdout: '', stderr: '' })
    const terminal = await rsvpDrawn(url, ['backup', ...into, '--keep', '1'])
    const [only = '', ...others] = made()
    expect(others).toEqual([])
    const screen = terminal.screen().replaceAll('\n', '')
    expect(screen).toContain(`Saved 300 responses and everything else in ${only}`)
    expect(screen).toContain('Removed 1 older backup.')
    expect(count(only)).toEqual({ count: 300 })
    expect(statSync(only).mode & 0o777).toBe(0o600)
  })

  it('refuses a missing folder, whose disk may not be mounted, and to run without a folder', async () => {
    rmdirSync(backups)
    const stderr = `There is no folder ${backups} for backups: mount its disk, or create it.\n`
    expect(await backup('--out', `${backups}/`)).toEqual({ code: 1, stdout: '', stderr })
    expect(readdirSync(folder)).not.toContain('backups')
    const unknown = { code: 2, stderr: expect.stringMatching(/^Say where, or set BACKUP_DIR\.\n/) }
    expect(await backup()).toMatchObject(unknown)
  })

  it('exits with 78 when the database is damaged, and keeps the older backups', async () => {
    const other = join(folder, 'damaged.db')
    await backup(...into)
    writeFileSync(other, readFileSync(url.slice('file:'.length)).fill(255, 8192, 8300))
    const ended = await rsvp(`file:${other}`, ['backup', ...into, '--keep', '1'])
    expect(ended).toMatchObject({ code: 78, stdout: '' })
    expect(ended.stderr).toMatch(/^[^\n]+damaged[^\n]+rsvp backup restore FILE`?\.?\n$/)
    expect(made()).toHaveLength(1)
  })
})

describe('rsvp backup list and verify', () => {
  const { folder, url } = testResponses(3)
  const backups = join(folder, 'backups')
  const env = { BACKUP_DIR: backups }
  const name = (year: number) => join(backups, `rsvp-${year}-01-05T02-30-00.000Z.db`)
  const [older, newest, future] = [name(2024), name(2025), name(2999)]
  const database = url.slice('file:'.length)
  const backup = (...words: string[]) => rsvp(url, ['backup', ...words], { env })
  const lists = (place: string) => readdirSync(place, { recursive: true }).sort()
  const change = (file: string, sql: string) => inDatabase(`file:${file}`, (rows) => rows.exec(sql))

  beforeEach(() => {
    rmSync(backups, { recursive: true, force: true })
    mkdirSync(backups)
    for (const file of [older, newest, future]) copyFileSync(database, file)
  })

  it('lists moment, size and file, the newest first, of BACKUP_DIR or --out', async () => {
    const { size } = statSync(database)
    const stdout = `2999-01-05T02:30:00.000Z\t${size}\t${future}\n2025-01-05T02:30:00.000Z\t${size}\t${newest}\n`
    expect((await backup('list')).stdout).toContain(stdout)
    const listed = JSON.parse((await backup('list', '--json')).stdout)
    expect(listed[2]).toEqual({ at: '2024-01-05T02:30:00.000Z', bytes: size, file: older })
    const none = { code: 0, stdout: '', stderr: `There is no backup in ${folder}: \`rsvp backup\` makes one.\n` }
    expect(await backup('list', '--out', folder)).toMatchObject(none)
    const unknown = { code: 2, stderr: expect.stringMatching(/^Say where, or set BACKUP_DIR\./) }
    expect(await rsvp(url, ['backup', 'list'], { env: { BACKUP_DIR: '' } })).toMatchObject(unknown)
  })

  it('verifies the newest backup or the given one, silently in a pipe, and changes nothing', async () => {
    change(newest, 'DELETE FROM rsvps WHERE id = 3')
    const before = [lists(folder), ...[newest, older, database].map((file) => readFileSync(file).toString('base64'))]
    expect(await backup('verify')).toEqual({ code: 0, stdout: '', stderr: '' })
    const [found, given] = [await backup('verify', '--json'), await backup('verify', older, '--json')]
    expect(JSON.parse(found.stdout)).toEqual({ file: newest, responses: 2 })
    expect(JSON.parse(given.stdout)).toMatchObject({ file: older, responses: 3 })
    const terminal = await rsvpDrawn(url, ['backup', 'verify'], { env, columns: 200 })
    expect(terminal.screen()).toBe(`${newest} can be restored: it has 2 responses.`)
    const after = [lists(folder), ...[newest, older, database].map((file) => readFileSync(file).toString('base64'))]
    expect(after).toEqual(before)
  })

  it.each<[string, number, RegExp, () => unknown]>([
    ['damaged', 78, /is damaged/, () => writeFileSync(newest, readFileSync(newest).fill(255, 8192, 8300))],
    [
      'missing',
      3,
      /^There is no backup in \S+backups: `rsvp backup` makes one\.\n$/,
      () => rmSync(backups, { recursive: true }),
    ],
  ])('refuses one that is %s', async (_, code, stderr, alter) => {
    alter()
    expect(await backup('verify')).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(stderr) })
    expect(lists(join(folder, 'data'))).toEqual(['rsvp.db'])
  })
})
