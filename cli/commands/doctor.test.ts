import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import {
  colors,
  inDatabase,
  makeDatabase,
  rsvp,
  rsvpInTerminal,
  rsvpProcessInTerminal,
  testFolder,
  testResponses,
} from '../fixtures.ts'

type Finding = { name: string; ok: boolean; text: string }

const everyName = [
  ...['Node', 'Settings', 'Database', 'Integrity', 'Writing', 'Permissions', 'Disk', 'Backup', 'Clock', 'Due'],
  ...['Schedule', 'Mode', 'Address'],
]
const { folder } = testFolder()
const many = testResponses(3000)
const well = `file:${join(folder, 'well', 'rsvp.db')}`
/** Also what a developer's own .env would set, and the port of a site that serves from the database that is well. */
const env = { HOST: '', PORT: '', PUBLIC_URL: '', RSVP_ACCESS: '', LOG_LEVEL: '', DATABASE_AUTH_TOKEN: '' }
const stops: (() => unknown)[] = []
let site: Awaited<ReturnType<typeof startBuiltServer>>

beforeAll(async () => {
  privateFile('well')
  site = await startBuiltServer({ DATABASE_URL: well })
  env.PORT = new URL(site.url).port
})
afterAll(() => site.stop())
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Where a database may be, in a folder of its own that no other account can look into. */
function privateFile(name: string): string {
  mkdirSync(join(folder, name), { mode: 0o700 })
  return join(folder, name, 'rsvp.db')
}

async function examined(url: string, changes: Partial<typeof env> = {}) {
  const { code, stdout, stderr } = await rsvp(url, ['doctor', '--json'], { env: { ...env, ...changes } })
  expect(stderr).toBe('')
  const findings: Finding[] = JSON.parse(stdout)
  for (const { text } of findings) expect(text).not.toContain('\n')
  expect(code).toBe(findings.every(({ ok }) => ok) ? 0 : 1)
  // The site serves from one of the databases only; what is said of it has tests of its own.
  const wrong = findings.filter(({ name, ok }) => !ok && name !== 'Address')
  const address = findings.find(({ name }) => name === 'Address')
  const told = Object.fromEntries(findings.map(({ name, text }) => [name, text]))
  return { told, address, names: findings.map(({ name }) => name), wrong: wrong.map(({ name }) => name) }
}

describe('rsvp doctor, where all is well', () => {
  it('says so of everything, line by line, and ends with 0', async () => {
    const { code, stdout, stderr } = await rsvp(well, ['doctor'], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split('\t').slice(0, 2))).toEqual(everyName.map((name) => ['ok', name]))
    expect(stdout).toMatch(/^ok\tNode\tv\d+\.\d+\.\d+$/m)
    expect(stdout).toContain(`ok\tDatabase\t0 responses in ${join(folder, 'well', 'rsvp.db')}\n`)
    expect(stdout).toMatch(/^ok\tDisk\t[\d,]+ MB free$/m)
    expect(stdout).toContain('ok\tMode\topen: it is managed from this computer only\n')
    expect(stdout).toContain('ok\tWriting\tsomething was stored just now\n')
    expect(stdout).toContain(`ok\tAddress\tthe site is running at http://127.0.0.1:${env.PORT}\n`)
  })

  it('prints each finding as JSON', async () => {
    const { stdout } = await rsvp(well, ['doctor', '--json'], { env })
    const findings: Finding[] = JSON.parse(stdout)
    expect(findings.map(({ name }) => name)).toEqual(everyName)
    expect(findings).toEqual(everyName.map((name) => ({ name, ok: true, text: expect.any(String) })))
  })

  it('draws a tick for each in a terminal', async () => {
    const terminal = rsvpProcessInTerminal(well, ['doctor'], { env })
    expect(await terminal.ended).toBe(0)
    const ticked = terminal.screen().matchAll(/^✓ (\S+)/gm)
    expect(Array.from(ticked, ([, name]) => name)).toEqual(everyName)
    expect(terminal.screen()).not.toContain('✗')
    expect(terminal.raw()).toMatch(colors)
  })

  it('draws them without colors where the user wants none', async () => {
    const terminal = rsvpProcessInTerminal(well, ['doctor'], { env: { ...env, NO_COLOR: '1' } })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toContain('✓ Address')
    expect(terminal.raw()).not.toMatch(colors)
  })

  it('says nothing at all with --quiet', async () => {
    expect(await rsvp(well, ['doctor', '--quiet'], { env })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    const { stdout } = await rsvp(well, ['doctor', '--quiet', '--json'], { env })
    expect(JSON.parse(stdout)).toEqual([])
  })

  it('says nothing at all with --quiet in a terminal either', async () => {
    const terminal = rsvpInTerminal(well, ['doctor', '--quiet'], { env })
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw()).toBe('')
  })

  it('counts what is stored', async () => {
    expect((await examined(many.url)).told.Database).toMatch(/^3000 responses in /)
  })

  it('says who may administer a site for a whole network, and where this computer reaches it', async () => {
    const { told, wrong } = await examined(well, { HOST: '0.0.0.0', RSVP_ACCESS: 'open' })
    expect(wrong).toEqual([])
    expect(told.Mode).toBe('open: everyone who can reach it may administer')
    expect(told.Address).toBe(`the site is running at http://localhost:${env.PORT}`)
    expect((await examined(well, { HOST: '::1' })).told.Address).toContain(`http://[::1]:${env.PORT}:`)
  })

  it('looks at a libSQL server as well, without a file to look at', async () => {
    const server = await startLibsqlServer()
    stops.push(server.stop)
    expect((await examined(server.url)).told.Database).toContain('has no tables')
    await rsvp(server.url, ['init', '--yes', '--quiet'], { env })
    const { told, names, wrong } = await examined(server.url)
    expect(wrong).toEqual([])
    expect(names).toEqual(everyName.filter((name) => !['Permissions', 'Disk'].includes(name)))
    expect(told.Database).toBe(`0 responses in ${server.url}`)
    await server.stop()
    const gone = await examined(server.url.replace('://', '://me:s3cret@'))
    expect(gone.wrong).toEqual(['Database'])
    // Whether it contains a password is unknown.
    expect(gone.names).not.toContain('Mode')
    expect(gone.told.Database).toBe(
      `There is no usable database at ${server.url} (unavailable). Check that the server runs, and DATABASE_URL.`,
    )
    expect(JSON.stringify(gone.told)).not.toContain('s3cret')
  })
})

describe('rsvp doctor, where something is wrong', () => {
  it('draws a cross in a terminal, and with --quiet nothing else', async () => {
    const wrong = { ...env, HOST: '0.0.0.0' }
    const terminal = rsvpInTerminal(well, ['doctor'], { env: wrong })
    expect(await terminal.ended).toBe(1)
    expect(terminal.screen()).toMatch(/^✗ Mode +HOST=0\.0\.0\.0 can be reached from/m)
    expect(terminal.screen().match(/✓/g)).toHaveLength(everyName.length - 1)
    const quiet = rsvpInTerminal(well, ['doctor', '--quiet'], { env: wrong })
    expect(await quiet.ended).toBe(1)
    expect(quiet.screen()).toMatch(/^✗ Mode/)
    expect(quiet.screen()).not.toContain('✓')
  })

  it('says in a pipe what, and with --quiet nothing else', async () => {
    const wrong = { ...env, HOST: '0.0.0.0' }
    expect((await examined(well, { HOST: '0.0.0.0' })).wrong).toEqual(['Mode'])
    const line = expect.stringMatching(/^wrong\tMode\tHOST=0\.0\.0\.0 can be .+ RSVP_ACCESS=open if everyone .+\.\n$/)
    const quiet = await rsvp(well, ['doctor', '--quiet'], { env: wrong })
    expect(quiet).toEqual({ code: 1, signal: null, stdout: line, stderr: '' })
    const { code, stdout } = await rsvp(well, ['doctor'], { env: wrong })
    expect(code).toBe(1)
    expect(stdout).toContain(quiet.stdout)
    const json = await rsvp(well, ['doctor', '--quiet', '--json'], { env: wrong })
    expect(JSON.parse(json.stdout)).toEqual([{ name: 'Mode', ok: false, text: expect.any(String) }])
  })

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

  it('says of a database that is not there yet in which mode the site will start', async () => {
    const url = `file:${privateFile('not yet')}`
    expect((await examined(url)).told.Mode).toBe('open: it is managed from this computer only')
    expect((await examined(url, { HOST: '0.0.0.0' })).wrong).toEqual(['Database', 'Mode'])
  })

  it('does not take an unresolvable name for another program', async () => {
    const { address } = await examined(well, { HOST: 'rsvp.invalid' })
    expect(address).toMatchObject({
      ok: false,
      text: 'HOST=rsvp.invalid is not an address of this computer: change it.',
    })
  })

  it('does not touch a text that stands where the database should be', async () => {
    const file = privateFile('text')
    writeFileSync(file, 'Dear diary', { mode: 0o600 })
    const { told, wrong } = await examined(`file:${file}`)
    expect(wrong).toEqual(['Database'])
    expect(told.Database).toContain('Check DATABASE_URL')
    expect(readFileSync(file, 'utf8')).toBe('Dear diary')
  })

  it.each([
    ['an entry of an index', 0x0a, 4088],
    ['a page of an index', 0x0a, 0],
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

  it('finds rows that belong to nothing, and names the backup from before', async () => {
    const file = privateFile('orphan')
    await makeDatabase(`file:${file}`)
    const made = await rsvp(
      `file:${file}`,
      ['backup', '--json', '--create-folder', '--out', join(folder, 'orphan', 'backups')],
      { env },
    )
    inDatabase(`file:${file}`, (database) =>
      database.exec("PRAGMA foreign_keys = OFF; INSERT INTO family_members VALUES (999, 0, 'Ana', NULL, 1)"),
    )
    const { told, wrong } = await examined(`file:${file}`)
    expect(wrong).toEqual(['Integrity'])
    expect(told.Integrity).toContain('A row of family_members refers to a missing row.')
    expect(told.Integrity).toContain(`rsvp backup restore ${JSON.parse(made.stdout).file}`)
  })

  it('does not mind a folder that other accounts can open, where the file in it is private', async () => {
    const file = privateFile('open folder')
    await makeDatabase(`file:${file}`)
    chmodSync(dirname(file), 0o755)
    expect((await examined(`file:${file}`)).wrong).toEqual([])
  })

  it.each(['644', '640', '604'])(
    'warns of a file that other accounts can read (%s), and leaves it so',
    async (mode) => {
      const file = privateFile(`open file ${mode}`)
      await makeDatabase(`file:${file}`)
      chmodSync(file, mode)
      const { told, wrong } = await examined(`file:${file}`)
      expect(wrong).toEqual(['Permissions'])
      expect(told.Permissions).toContain(file)
      expect((statSync(file).mode & 0o777).toString(8)).toBe(mode)
    },
  )

  it('warns of a disk that is full', async () => {
    // There never is room in /proc.
    const { told, wrong } = await examined('file:/proc/rsvp.db')
    expect(wrong).toContain('Disk')
    expect(told.Disk).toBe('Only 0 MB free: make room.')
  })

  it('names every wrong setting, and then looks no further', async () => {
    const { told, names, wrong } = await examined(well, { PORT: 'abc', LOG_LEVEL: 'loud' })
    expect({ names, wrong }).toEqual({ names: ['Node', 'Settings'], wrong: ['Settings'] })
    expect(told.Settings).toMatch(/PORT is not a port\. .+ LOG_LEVEL is not a log level\. [^\n]+\.$/)
  })

  it.each<[string, () => Server]>([
    ['does not know the page', () => createHttpServer((_, reply) => reply.writeHead(404).end())],
    ['has a page for everything', () => createHttpServer((_, reply) => reply.end('<h1>Welcome</h1>'))],
    ['is well in other words', () => createHttpServer((_, reply) => reply.end('{"status":"UP"}'))],
    ['speaks no HTTP', () => createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.2\r\n'))],
  ])('notices that what listens in place of the site %s', async (_, serverOf) => {
    const other = serverOf().listen(0, '127.0.0.1')
    stops.push(() => other.close())
    await once(other, 'listening')
    const place = other.address()
    const PORT = typeof place === 'object' ? String(place?.port) : ''
    const { address } = await examined(well, { PORT })
    expect(address).toMatchObject({ ok: false, text: expect.stringContaining(`http://127.0.0.1:${PORT}`) })
  })
})
