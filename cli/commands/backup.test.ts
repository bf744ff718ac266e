import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { testCopies } from '../copies-fixtures.ts'
import { inDatabase, rsvp, rsvpDrawn, rsvpInTerminal, rsvpProcess, start, testResponses } from '../fixtures.ts'

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
  const into = ['--create-folder', '--out', backups]
  const backup = (...words: string[]) => rsvp(url, ['backup', ...words], { env })
  const made = () => readdirSync(backups).map((name) => join(backups, name))
  const count = (database: string) =>
    inDatabase(`file:${database}`, (rows) => rows.prepare('SELECT count(*) AS count FROM rsvps').get())

  afterEach(() => rmSync(backups, { recursive: true, force: true }))

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
    expect(await backup('--out', `${backups}/`)).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: `There is no folder ${backups}, so nothing was saved. Mount its disk, create it, or add --create-folder.\n`,
    })
    expect(readdirSync(folder)).not.toContain('backups')
    writeFileSync(backups, '')
    const stderr = `${backups} is a file, not a folder: choose another folder for backups.\n`
    expect(await backup(...into)).toMatchObject({ code: 1, stderr })
    const unknown = { code: 2, stderr: expect.stringMatching(/^Say where with --out, or set BACKUP_DIR\.\n/) }
    expect(await backup()).toMatchObject(unknown)
    const dash = { code: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]+A backup goes into a folder/) }
    expect(await backup('--create-folder', '--out', '-')).toMatchObject(dash)
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

const { folder, url, backups, away, identity, env, run, makeKey, copies, audit, backUp } = testCopies()

describe('rsvp init --backup-key', () => {
  it('makes a private file that must be kept elsewhere, and never another one in its place', async () => {
    const names = ['BACKUP_DIR', 'BACKUP_COPY_TO', 'BACKUP_COPY_RECIPIENT', 'BACKUP_COPY_IDENTITY_FILE']
    expect(Object.keys(env)).toEqual(names)
    expect(statSync(identity).mode & 0o777).toBe(0o600)
    const before = readFileSync(identity, 'utf8')
    expect(before).toMatch(
      /^# .+\n# .+\n# public key: age1[a-z\d]+\n# verification key: [\w-]{43}\nAGE-SECRET-KEY-1[A-Z\d]+\n$/,
    )
    const again = await makeKey(identity)
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/^\S+identity.txt exists already and stays as it is: .+ Give another file\.\n$/)
    expect(readFileSync(identity, 'utf8')).toBe(before)
    const { stdout, stderr } = await makeKey(join(folder, 'other.txt'))
    expect(stderr).toMatch(/Keep a copy of .+other.txt away from this computer.+no copy of a backup can ever/)
    expect(stdout + stderr).not.toContain('SECRET')
  })
})

describe('rsvp backup, where copies go elsewhere', () => {
  it('sends an encrypted copy that only this account can read, silently in a pipe', async () => {
    const copy = await backUp()
    expect(copy).toMatch(/\/away\/rsvp-[-\dTZ.]+Z\.30-30-30\.[\da-f]{32}\.db\.age$/)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(readFileSync(copy, 'latin1')).toMatch(/^age-encryption\.org\/v1\n/)
    expect(readFileSync(copy).includes('visitor.example')).toBe(false)
    expect([readdirSync(backups).length, copies().length]).toEqual([1, 1])
    expect(audit()).toEqual([expect.stringMatching(/^backup made .+ \(responses 30,/), `copy sent ${copy}`])
  })

  it('says so in a terminal, prints it with --json, and sends none with --no-copy', async () => {
    const terminal = await rsvpDrawn(url, ['backup'], { env })
    expect(terminal.screen().replaceAll('\n', '')).toContain(`Sent an encrypted copy to ${copies()[0]}`)
    const made = JSON.parse((await run(['--json'])).stdout)
    expect(made).toEqual({
      file: join(backups, String(readdirSync(backups).toSorted().at(-1))),
      responses: 30,
      removed: [],
      copy: { place: away, name: readdirSync(away).toSorted().at(-1), removed: [] },
    })
    expect(JSON.parse((await run(['--json', '--no-copy'])).stdout)).not.toHaveProperty('copy')
    expect(copies()).toHaveLength(2)
  })

  it('keeps as many copies as the settings say, and every other file; all of them while the clock is doubtful', async () => {
    mkdirSync(away)
    // One of another program, and one that was made while the clock was ahead.
    const others = ['rsvp-2020-01-01T00-00-00.000Z.db.age', 'my-rsvp-2020-01-01T00-00-00.000Z.1-1-1.db.age']
    others.push('notes.txt', 'rsvp-2090-01-01T00-00-00.000Z.1-1-1.db.age')
    for (const name of others) writeFileSync(join(away, name), 'mine')
    const old = [1, 2, 3].map((day) => `rsvp-2020-01-0${day}T00-00-00.000Z.1-1-1.db.age`)
    for (const name of old) writeFileSync(join(away, name), '')
    const set = (at: unknown) =>
      inDatabase(url, (rows) => rows.prepare('UPDATE clock_marks SET seen_at = ?').run(String(at)))
    const before = inDatabase(url, (rows) => rows.prepare('SELECT seen_at FROM clock_marks').get())
    set('2090-01-01T00:00:00.000Z')
    const doubtful = JSON.parse((await run(['--json'], { BACKUP_COPY_KEEP: '1' })).stdout).copy
    set(before?.seen_at)
    expect([doubtful.removed, copies().length]).toEqual([[], 8])
    const { name, removed } = JSON.parse((await run(['--json'], { BACKUP_COPY_KEEP: '3' })).stdout).copy
    expect(removed).toEqual([old[1], old[0]])
    expect(readdirSync(away).toSorted()).toEqual([...others, old[2], doubtful.name, name].toSorted())
  })

  const s3 = { BACKUP_COPY_TO: 's3://copies', AWS_ACCESS_KEY_ID: 'the id', AWS_SECRET_ACCESS_KEY: 'the key' }
  it.each([
    ['no recipient is set', 78, { BACKUP_COPY_RECIPIENT: '' }, /BACKUP_COPY_TO needs BACKUP_COPY_RECIPIENT: /],
    [
      'the place is not there',
      1,
      { BACKUP_COPY_TO: '/nonexistent/away' },
      /There is no folder \/nonexistent in which \/nonexistent\/away could be made.+ Then run `rsvp backup --send-only`/,
    ],
    [
      'the place is not reached',
      1,
      { ...s3, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' },
      /s3:\/\/copies cannot be used: the connection failed.+ Then run `rsvp backup --send-only`\.\n$/,
    ],
  ])('keeps the backup, and says what to do, where %s', async (_, code, variables, reason) => {
    const ended = await run(['--json'], variables)
    expect(ended.code).toBe(code)
    expect(JSON.parse(ended.stdout)).toMatchObject({ copy: null })
    expect(ended.stderr).toMatch(/^\S+\.db was saved, but no copy of it was sent\. /)
    expect(ended.stderr).toMatch(reason)
    expect(ended.stderr).not.toMatch(/the (id|key)/)
    expect([readdirSync(backups).length, existsSync(away)]).toEqual([1, false])
  })

  it('leaves nothing half behind when it is ended, and cleans up after a process that was killed', async () => {
    const { settings, sent, stop } = await startSilentServer()
    const variables = { ...env, ...settings, BACKUP_COPY_TO: 's3://copies' }
    for (const [kill, code, left] of [
      ['SIGTERM', 143, 1],
      ['SIGKILL', null, 2],
    ] as const) {
      const { child, ended } = start(url, ['backup'], { env: variables })
      await sent()
      expect(child.kill(kill)).toBe(true)
      expect((await ended).code).toBe(code)
      // The backup itself stays; what is encrypted was to be sent.
      expect(readdirSync(backups)).toHaveLength(left + (code === null ? 1 : 0))
    }
    await stop()
    expect(await run(['make', '--send-only'])).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(backups).filter((name) => !name.endsWith('.db'))).toEqual([])
  })
})

describe('rsvp backup --send-only', () => {
  it('sends the newest backup later', async () => {
    const none = { code: 3, stderr: `There is no backup in ${backups}: run \`rsvp backup\`.\n` }
    expect(await run(['make', '--send-only'])).toMatchObject(none)
    await run([], { BACKUP_COPY_TO: '/nonexistent/away' })
    const unset = { code: 78, stderr: 'There is no other place: set BACKUP_COPY_TO.\n' }
    expect(await run(['make', '--send-only'], { BACKUP_COPY_TO: '' })).toMatchObject(unset)
    const { code, stdout } = await run(['make', '--send-only', '--json'])
    expect([code, JSON.parse(stdout).name]).toEqual([0, readdirSync(away)[0]])
    expect(readdirSync(backups)).toHaveLength(1)
  })
})

describe('rsvp backup list', () => {
  it('lists backups and copies, the newest first, also where the other place is away, and none in a sentence', async () => {
    const none = `There is no backup in ${backups}: \`rsvp backup\` makes one.\n`
    expect(await run(['list'], { BACKUP_COPY_TO: '' })).toMatchObject({ code: 0, stdout: '', stderr: none })
    expect((await run(['list'], { BACKUP_COPY_TO: '', BACKUP_DIR: '' })).stderr).toMatch(/^BACKUP_DIR is not set, /)
    await backUp()
    const second = await backUp()
    const lines = (await run(['list'])).stdout.trim().split('\n')
    const here = readdirSync(backups).map((name) => join(backups, name))
    expect(lines.map((line) => line.split('\t')[2]).toSorted()).toEqual([...copies(), ...here].toSorted())
    const moments = lines.map((line) => line.split('\t')[0])
    expect(moments).toEqual(moments.toSorted().toReversed())
    const listed = JSON.parse((await run(['list', '--json'])).stdout)
    expect(listed).toContainEqual({ at: expect.any(String), bytes: statSync(second).size, file: second, responses: 30 })
    const { code, stdout, stderr } = await run(['list', '--json'], { BACKUP_COPY_TO: '/nonexistent/away' })
    expect([code, JSON.parse(stdout).length]).toEqual([1, 2])
    const reason = 'it is not there (ENOENT). Mount its disk, or make the folder.'
    expect(stderr).toBe(`/nonexistent/away cannot be used: ${reason}\n`)
  })
})

/** A storage that takes everything and never replies. */
async function startSilentServer() {
  const requests: IncomingMessage[] = []
  const server = createServer((request) => requests.push(request.resume())).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    settings: {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
    },
    /** Resolves when one more request has come. */
    sent: async () => {
      while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      requests.length = 0
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
