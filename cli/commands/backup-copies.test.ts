import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testCopies } from '../copies-fixtures.ts'
import { inDatabase, inShellWithMount, rsvpInTerminal, start } from '../fixtures.ts'

const { folder, url, backups, away, identity, env, run, makeKey, copies, audit, backUp } = testCopies()

describe('rsvp init --backup-key', () => {
  it('makes a private file, and never another one in its place', async () => {
    expect(Object.keys(env)).toEqual([
      'BACKUP_DIR',
      'BACKUP_COPY_TO',
      'BACKUP_COPY_RECIPIENT',
      'BACKUP_COPY_IDENTITY_FILE',
    ])
    expect(statSync(identity).mode & 0o777).toBe(0o600)
    const before = readFileSync(identity, 'utf8')
    expect(before).toMatch(
      /^# .+\n# .+\n# public key: age1[a-z\d]+\n# verification key: [\w-]{43}\nAGE-SECRET-KEY-1[A-Z\d]+\n$/,
    )
    const { code, stdout, stderr } = await makeKey(identity)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^\S+identity.txt exists already and stays as it is: .+ Give another file\.\n$/)
    expect(readFileSync(identity, 'utf8')).toBe(before)
  })

  it('says that it must be kept elsewhere, and never the identity itself', async () => {
    const file = join(folder, 'other identity.txt')
    const { stdout, stderr } = await makeKey(file)
    expect(stderr).toMatch(/Keep a copy of .+other identity.txt away from this computer.+no copy of a backup can ever/)
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

  it('says so in a terminal', async () => {
    const terminal = rsvpInTerminal(url, ['backup'], { env })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen().replaceAll('\n', '')).toContain(`Sent an encrypted copy to ${copies()[0]}`)
  })

  it('prints it with --json, and sends none with --no-copy', async () => {
    const { stdout } = await run(['--json'])
    const name = readdirSync(away)[0]
    expect(JSON.parse(stdout).copy).toEqual({ place: away, name, removed: [] })
    expect(JSON.parse((await run(['--json', '--no-copy'])).stdout)).not.toHaveProperty('copy')
    expect(copies()).toHaveLength(1)
  })

  it('keeps as many copies as the settings say, and every other file', async () => {
    mkdirSync(away)
    // One of another program, and one that was made while the clock was ahead.
    const others = ['rsvp-2020-01-01T00-00-00.000Z.db.age', 'my-rsvp-2020-01-01T00-00-00.000Z.1-1-1.db.age']
    others.push('notes.txt', 'rsvp-2090-01-01T00-00-00.000Z.1-1-1.db.age')
    for (const name of others) writeFileSync(join(away, name), 'mine')
    const old = [1, 2, 3].map((day) => `rsvp-2020-01-0${day}T00-00-00.000Z.1-1-1.db.age`)
    for (const name of old) writeFileSync(join(away, name), '')
    const { stdout } = await run(['--json'], { BACKUP_COPY_KEEP: '2' })
    const { name, removed } = JSON.parse(stdout).copy
    expect(removed).toEqual([old[1], old[0]])
    expect(readdirSync(away).toSorted()).toEqual([...others, old[2], name].toSorted())
  })

  it('keeps all of them while the clock is doubtful', async () => {
    mkdirSync(away)
    for (const day of [1, 2]) writeFileSync(join(away, `rsvp-2020-01-0${day}T00-00-00.000Z.1-1-1.db.age`), '')
    const before = inDatabase(url, (rows) => rows.prepare('SELECT seen_at FROM clock_marks').get())
    const set = (at: unknown) =>
      inDatabase(url, (rows) => rows.prepare('UPDATE clock_marks SET seen_at = ?').run(String(at)))
    set('2090-01-01T00:00:00.000Z')
    const { stdout } = await run(['--json'], { BACKUP_COPY_KEEP: '1' })
    set(before?.seen_at)
    expect([JSON.parse(stdout).copy.removed, copies().length]).toEqual([[], 3])
  })

  it('never sends one that is not encrypted, which is a mistake in the settings', async () => {
    const { code, stderr } = await run([], { BACKUP_COPY_RECIPIENT: '' })
    expect(code).toBe(78)
    expect(stderr).toMatch(
      /^\S+\.db was saved, but no copy of it was sent\. BACKUP_COPY_TO needs BACKUP_COPY_RECIPIENT: /,
    )
    expect([readdirSync(backups).length, existsSync(away)]).toEqual([1, false])
  })

  it.each([
    [
      'is not there',
      { BACKUP_COPY_TO: '/nonexistent/away' },
      /There is no folder \/nonexistent in which \/nonexistent\/away could be made/,
    ],
    [
      'is not reached',
      { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' },
      /s3:\/\/copies cannot be used: the connection failed/,
    ],
  ])('keeps the backup, and says what to do, where the place %s', async (_, variables, reason) => {
    const s3 = { BACKUP_COPY_TO: 's3://copies', AWS_ACCESS_KEY_ID: 'the id', AWS_SECRET_ACCESS_KEY: 'the key' }
    const ended = await run(['--json'], { ...s3, ...variables })
    expect(ended.code).toBe(1)
    expect(JSON.parse(ended.stdout)).toMatchObject({ copy: null })
    expect(ended.stderr).toMatch(
      /^\S+\.db was saved, but no copy of it was sent\. .+ Then run `rsvp backup --send-only`\.\n$/,
    )
    expect(ended.stderr).toMatch(reason)
    expect(ended.stderr).not.toMatch(/the (id|key)/)
    expect(readdirSync(backups)).toHaveLength(1)
  })

  it('says that the disk there is full, and leaves nothing on it', async () => {
    mkdirSync(away)
    const line = `rsvp backup; code=$?; ls -A ${away}; exit $code`
    const ended = await inShellWithMount(url, `mount -t tmpfs -o size=40k tmpfs ${away}`, line, { env })
    if (ended === undefined) return
    expect(ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/away cannot be used: it is full/),
    })
    expect(readdirSync(backups)).toHaveLength(1)
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
    await run([], { BACKUP_COPY_TO: '/nonexistent/away' })
    const { code, stdout } = await run(['make', '--send-only', '--json'])
    expect([code, JSON.parse(stdout).name]).toEqual([0, readdirSync(away)[0]])
    expect(readdirSync(backups)).toHaveLength(1)
  })

  it('needs a backup, and a place', async () => {
    expect(await run(['make', '--send-only'])).toMatchObject({
      code: 3,
      stderr: `There is no backup in ${backups}: run \`rsvp backup\`.\n`,
    })
    await backUp()
    const { code, stderr } = await run(['make', '--send-only'], { BACKUP_COPY_TO: '' })
    expect([code, stderr]).toEqual([78, 'There is no other place: set BACKUP_COPY_TO.\n'])
  })
})

describe('rsvp backup list', () => {
  it('lists backups and copies, the newest first', async () => {
    const first = await backUp()
    const second = await backUp()
    const { stdout } = await run(['list'])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(lines.map(([, , file]) => file).toSorted()).toEqual(
      [...copies(), ...readdirSync(backups).map((name) => join(backups, name))].toSorted(),
    )
    expect(lines.map(([at = '']) => at)).toEqual(
      lines
        .map(([at = '']) => at)
        .toSorted()
        .toReversed(),
    )
    const listed = JSON.parse((await run(['list', '--json'])).stdout)
    expect(listed).toContainEqual({ at: expect.any(String), bytes: statSync(second).size, file: second, responses: 30 })
    expect(first).not.toBe(second)
  })

  it('lists what is here where the other place is away', async () => {
    await backUp()
    const { code, stdout, stderr } = await run(['list', '--json'], { BACKUP_COPY_TO: '/nonexistent/away' })
    expect([code, JSON.parse(stdout).length]).toEqual([1, 1])
    expect(stderr).toBe(
      '/nonexistent/away cannot be used: it is not there (ENOENT). Mount its disk, or make the folder.\n',
    )
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
