import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import {
  inDatabase,
  inShellWithMount,
  rsvp,
  rsvpInTerminal,
  rsvpProcess,
  testFolder,
  testResponses,
} from '../fixtures.ts'

const { folder, url } = testResponses(300)
const file = url.slice('file:'.length)
const backups = join(folder, 'backups')
const env = { BACKUP_DIR: '', HOST: '', PORT: '', PUBLIC_URL: '', RSVP_ACCESS: '' }

afterEach(() => rmSync(backups, { recursive: true, force: true }))

const made = () => readdirSync(backups).map((name) => join(backups, name))
const count = (database: string) =>
  inDatabase(`file:${database}`, (rows) => rows.prepare('SELECT count(*) AS count FROM rsvps').get())

describe('rsvp backup', () => {
  it('saves everything, silently in a pipe, and says so in a terminal', async () => {
    expect(await rsvp(url, ['backup', '--create-folder', '--out', backups])).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    })
    const terminal = rsvpInTerminal(url, ['backup', '--create-folder', '--out', backups, '--keep', '1'])
    expect(await terminal.ended).toBe(0)
    const [only = ''] = made()
    expect(made()).toHaveLength(1)
    const screen = terminal.screen().replaceAll('\n', '')
    expect(screen).toContain(`Saved 300 responses and everything else in ${only}`)
    expect(screen).toContain('Removed 1 older backup.')
    expect(count(only)).toEqual({ count: 300 })
    expect(statSync(only).mode & 0o777).toBe(0o600)
  })

  it('prints with --json what it made, and takes the folder of the settings', async () => {
    const { code, stdout } = await rsvp(url, ['backup', '--json'], { env: { ...env, BACKUP_DIR: backups } })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ file: made()[0], responses: 300, removed: [] })
  })

  it('wants to know where', async () => {
    const { code, stderr } = await rsvp(url, ['backup'], { env })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Say where with --out, or set BACKUP_DIR\.\n/)
  })

  it('makes no folder of the name that means standard output to other commands', async () => {
    const { code, stdout, stderr } = await rsvp(url, ['backup', '--create-folder', '--out', '-'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+A backup goes into a folder/)
  })

  it('refuses a folder that is missing, whose disk may not be mounted, and makes it with --create-folder', async () => {
    const refused = `There is no folder ${backups}, so nothing was saved. Mount its disk, make it, or add --create-folder.\n`
    expect(await rsvp(url, ['backup', '--out', `${backups}/`])).toMatchObject({ code: 1, stdout: '', stderr: refused })
    expect(readdirSync(folder)).not.toContain('backups')
    expect(await rsvp(url, ['backup', '--out', backups, '--create-folder'])).toMatchObject({ code: 0, stderr: '' })
    expect(await rsvp(url, ['backup', '--out', backups])).toMatchObject({ code: 0, stderr: '' })
    expect(made()).toHaveLength(2)
  })

  it('lists none in a sentence', async () => {
    const list = (BACKUP_DIR: string) => rsvp(url, ['backup', 'list'], { env: { ...env, BACKUP_DIR } })
    expect(await list(backups)).toMatchObject({
      ...{ code: 0, stdout: '' },
      stderr: `There is no backup in ${backups}: \`rsvp backup\` makes one.\n`,
    })
    expect((await list('')).stderr).toMatch(/^BACKUP_DIR is not set, /)
  })

  it('refuses a place that is a file, in a sentence', async () => {
    writeFileSync(backups, '')
    const { code, stderr } = await rsvp(url, ['backup', '--create-folder', '--out', backups])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${backups} is a file, not a folder: choose another folder for backups.\n`,
    })
  })

  it('says that a disk is full, and leaves nothing on it', async () => {
    mkdirSync(backups)
    const mount = `mount -t tmpfs -o size=40k tmpfs ${backups}`
    const ended = await inShellWithMount(
      url,
      mount,
      `rsvp backup --create-folder --out ${backups}; code=$?; ls -A ${backups}; exit $code`,
    )
    if (ended === undefined) return
    expect(ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `The disk of ${backups} is full, so nothing was saved. Make room there, then try again.\n`,
    })
  })

  it('ends with 78 when the database is damaged, keeps the older ones, and says what to do', async () => {
    const other = join(folder, 'damaged.db')
    await rsvp(url, ['backup', '--create-folder', '--out', backups])
    const bytes = readFileSync(file)
    bytes.fill(255, 8192, 8300)
    writeFileSync(other, bytes)
    const ended = await rsvp(`file:${other}`, ['backup', '--create-folder', '--out', backups, '--keep', '1'])
    expect(ended).toMatchObject({ code: 78, stdout: '' })
    expect(ended.stderr).toMatch(/^[^\n]+damaged[^\n]+rsvp backup restore FILE`?\.?\n$/)
    expect(made()).toHaveLength(1)
  })

  it('is two whole backups when two are made at once', async () => {
    const both = await Promise.all([1, 2].map(() => rsvpProcess(url, ['backup', '--create-folder', '--out', backups])))
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    for (const one of made()) expect(count(one)).toEqual({ count: 300 })
  })
})

describe('rsvp backup restore FILE', () => {
  const empty = testFolder()
  const target = empty.url.slice('file:'.length)

  it('brings everything back to a new disk in one command', async () => {
    await rsvp(url, ['backup', '--create-folder', '--out', backups])
    const [backup = ''] = made()
    const ended = await rsvp(empty.url, ['backup', 'restore', backup, '--yes'])
    expect(ended).toMatchObject({ code: 0, stdout: '' })
    expect(ended.stderr).toContain(`Brought back 300 responses from ${backup}\n`)
    expect(ended.stderr).toContain('What was erased since then is there again: erase it once more.\n')
    expect(count(target)).toEqual({ count: 300 })
    const again = await rsvp(empty.url, ['backup', 'restore', backup, '--yes', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ file: backup, responses: 300, guarded: false })
  })

  it('asks at a terminal, and changes nothing after a no', async () => {
    await rsvp(url, ['backup', '--create-folder', '--out', backups])
    await rsvp(url, ['features', 'familyRsvp', 'off'])
    const before = readFileSync(file)
    const terminal = rsvpInTerminal(url, ['backup', 'restore', String(made()[0])])
    await terminal.shows('Bring them back? y/N')
    terminal.press('n')
    expect(await terminal.ended).toBe(1)
    expect(terminal.screen()).toContain('Nothing was changed.')
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('needs --yes without a terminal', async () => {
    await rsvp(url, ['backup', '--create-folder', '--out', backups])
    const { code, stderr } = await rsvp(url, ['backup', 'restore', String(made()[0])])
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'No terminal to confirm on: add --yes to go on.'])
  })

  it.each([
    ['no file', 3, () => 'missing.db'],
    ['two of them', 2, () => 'one.db two.db'],
    ['an id and a file', 2, () => '12 one.db'],
  ])('refuses %s', async (_, expected, words) => {
    const { code, stdout } = await rsvp(url, ['backup', 'restore', ...words().split(' '), '--yes'], { cwd: folder })
    expect([code, stdout]).toEqual([expected, ''])
  })

  it('names the other way where the database is a server', async () => {
    const { code, stderr } = await rsvp('http://127.0.0.1:9', ['backup', 'restore', file, '--yes'])
    expect(code).toBe(2)
    expect(stderr).toContain(`rsvp transfer URL --db file:${file}`)
  })

  it('refuses while a site runs; forced, the site goes on with the backup', async () => {
    const site = await startBuiltServer()
    const served = `file:${join(site.folder, 'rsvp.db')}`
    await rsvp(url, ['backup', '--create-folder', '--out', backups])
    const [backup = ''] = made()
    const refused = await rsvp(served, ['backup', 'restore', backup, '--yes'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^A site is running on .+--force\.\n$/) })
    expect(await (await fetch(`${site.url}/api/rsvps`)).json()).toEqual([])
    expect((await rsvp(served, ['backup', 'restore', backup, '--yes', '--force'])).code).toBe(0)
    const body = JSON.stringify({ name: 'New Person', email: 'new@cole.example', attending: true })
    const sent = await fetch(`${site.url}/api/rsvp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([sent.status, await sent.json()]).toMatchObject([201, { id: 301 }])
    expect(await (await fetch(`${site.url}/api/rsvps`)).json()).toHaveLength(301)
    await site.stop()
  })
})

describe('rsvp doctor', () => {
  const backup = async () => {
    const { stdout } = await rsvp(url, ['doctor', '--json'], { env: { ...env, PORT: '9' } })
    const findings: { name: string; ok: boolean; text: string }[] = JSON.parse(stdout)
    return findings.find(({ name }) => name === 'Backup')
  }

  it('says when the last good backup was made, and when there is reason to worry', async () => {
    await rsvp(url, ['backup', '--create-folder', '--out', backups])
    const [file = ''] = made()
    expect(await backup()).toMatchObject({ ok: true, text: expect.stringMatching(`within the last hour: ${file}$`) })
    renameSync(file, `${file}.away`)
    expect(await backup()).toMatchObject({ ok: false, text: expect.stringContaining('not there any more') })
    const madeAgo = (days: number) => {
      const moment = new Date(Date.now() - days * 24 * 3600 * 1000).toISOString()
      return join(backups, `rsvp-${moment.replaceAll(':', '-')}.db`)
    }
    writeFileSync(madeAgo(-2), '')
    const ahead = `By the clock ${madeAgo(-2)} was made in the future: the clock is behind, or was ahead then.`
    expect((await backup())?.text.replace(/T.+?Z/, '')).toBe(
      `${ahead} Set it right (\`date\`), keep the file, and run \`rsvp backup\`.`.replace(/T.+?Z/, ''),
    )
    rmSync(backups, { recursive: true })
    mkdirSync(backups)
    writeFileSync(madeAgo(9), '')
    expect(await backup()).toMatchObject({ ok: false, text: expect.stringContaining('9 days ago') })
    writeFileSync(madeAgo(3), '')
    expect(await backup()).toMatchObject({ ok: true, text: expect.stringContaining('3 days ago') })
    inDatabase(url, (rows) => rows.exec("DELETE FROM audit_entries WHERE action = 'backup made'"))
    expect(await backup()).toMatchObject({ ok: false, text: expect.stringMatching(/^There is none: set BACKUP_DIR/) })
  })
})
