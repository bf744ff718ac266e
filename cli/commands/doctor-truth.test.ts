import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { inShell, makeDatabase, rsvp, rsvpInTerminal, rsvpProcess, testFolder } from '../fixtures.ts'
import { canBecome, installation } from '../installation-fixtures.ts'
import { runMain } from '../main-fixtures.ts'

const { folder, url } = testFolder()
const file = url.slice('file:'.length)
const isRoot = process.getuid?.() === 0
/** Another account than the one that runs the tests. */
const OTHER_ACCOUNT = 65534
const plain = { HOST: '', PUBLIC_URL: '', RSVP_ACCESS: '', DATABASE_AUTH_TOKEN: '', BACKUP_DIR: '' }
let site: Awaited<ReturnType<typeof startBuiltServer>>
let quietPort = ''

beforeAll(async () => {
  mkdirSync(dirname(file), { mode: 0o700 })
  site = await startBuiltServer({ DATABASE_URL: url })
  quietPort = String(await freePort())
})
afterAll(() => site.stop())

/** The line of one finding, e.g. `wrong<tab>Address<tab>…`, and the exit code. */
async function told(name: string, database: string, PORT: string, ...words: string[]) {
  const { code, stdout } = await rsvp(database, ['doctor', ...words], { env: { ...plain, PORT } })
  return { code, line: stdout.split('\n').find((line) => line.split('\t')[1] === name) }
}

describe('rsvp doctor, of the site', () => {
  it('finds the one that serves from the database', async () => {
    const { port } = new URL(site.url)
    expect(await told('Address', url, port)).toEqual({
      code: 0,
      line: `ok\tAddress\tthe site is running at ${site.url}`,
    })
  })

  it('takes a stopped one for what it is', async () => {
    const stopped = `file:${join(folder, 'stopped', 'rsvp.db')}`
    await makeDatabase(stopped)
    const { code, line } = await told('Address', stopped, quietPort)
    expect([code, line]).toEqual([1, expect.stringMatching(/^wrong\tAddress\tNo site is running at .+: start it, /)])
  })

  it('asks the lock where one serves, also at another port', async () => {
    const { code, line } = await told('Address', url, quietPort)
    expect([code, line]).toEqual([0, expect.stringMatching(/^warning\tAddress\tA site serves from .+, but not at /)])
    expect((await told('Address', url, quietPort, '--strict')).code).toBe(1)
  })

  it('notices that the site at the address serves from another database', async () => {
    const other = `file:${join(folder, 'other', 'rsvp.db')}`
    await makeDatabase(other)
    const { port } = new URL(site.url)
    const { code, line } = await told('Address', other, port)
    expect([code, line]).toEqual([1, expect.stringMatching(/^wrong\tAddress\tThe site at .+ does not serve from /)])
    // A backup, for instance, is looked at all the same.
    expect((await told('Address', url, port, '--db', other)).line).toMatch(/^warning\t/)
    expect(readdirSync(join(folder, 'other')).filter((name) => name.endsWith('-site'))).toEqual([])
  })
})

describe('rsvp doctor, of what is stored', () => {
  it.for([
    { what: 'file and folder', fileMode: 0o400 },
    { what: 'folder', fileMode: 0o600 },
  ])('says that nothing can be stored where it may only read the $what', async ({ what, fileMode }, { skip }) => {
    const place = join(folder, `read only ${what}`)
    mkdirSync(place)
    cpSync(file, join(place, 'rsvp.db'))
    chmodSync(join(place, 'rsvp.db'), fileMode)
    chmodSync(place, 0o500)
    // Drops root's capability to write against the permissions.
    const powerless = isRoot ? 'setpriv --bounding-set=-dac_override,-dac_read_search ' : ''
    const { code, stdout } = await inShell(`file:${place}/rsvp.db`, `${powerless}rsvp doctor --quiet`, { env: plain })
    chmodSync(place, 0o700)
    skip(code === 127, 'There is no setpriv here.')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^wrong\tWriting\tThe database can only be read: /m)
  })

  it('says that another process keeps it locked', async () => {
    const locked = `file:${join(folder, 'locked', 'rsvp.db')}`
    await makeDatabase(locked)
    const holder = new DatabaseSync(locked.slice('file:'.length))
    holder.exec('BEGIN IMMEDIATE')
    const env = { ...plain, PORT: quietPort, ...withOverrides({ REQUEST_DEADLINE_MS: 1000 }) }
    const { stdout } = await rsvpProcess(locked, ['doctor'], { env })
    holder.close()
    expect(stdout).toMatch(/^wrong\tWriting\t/m)
  })

  it('takes a folder that it may not look into for a missing permission', async ({ skip }) => {
    skip(!canBecome(OTHER_ACCOUNT), 'Only root can become another account, and only where that can reach the project.')
    const closed = `file:${join(folder, 'closed', 'rsvp.db')}`
    await makeDatabase(closed)
    chmodSync(join(folder, 'closed'), 0o700)
    const line = 'setpriv --reuid=65534 --regid=65534 --clear-groups rsvp doctor --quiet'
    const { code, stdout } = await inShell(closed, line, { env: { ...plain, PORT: quietPort } })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^wrong\tDatabase\t[^\n]*EACCES/m)
    expect(stdout).not.toContain('Permissions')
  })

  it('tells root of a database that the account of its folder cannot use', async ({ skip }) => {
    skip(!isRoot, 'Only root can give files away.')
    const foreign = `file:${join(folder, 'foreign', 'rsvp.db')}`
    await makeDatabase(foreign)
    chownSync(join(folder, 'foreign'), OTHER_ACCOUNT, OTHER_ACCOUNT)
    const { code, line } = await told('Permissions', foreign, quietPort)
    expect([code, line]).toEqual([1, expect.stringContaining(`chown ${OTHER_ACCOUNT}:${OTHER_ACCOUNT} `)])
  })
})

describe('rsvp doctor, of .env', () => {
  it('names unknown keys, with those that were meant, and ends with 1 only where it is strict', async () => {
    const { rsvp, place } = installation('unknown keys')
    await rsvp('init', '--yes', '--quiet')
    writeFileSync(join(place, '.env'), `BACKUP_FOLDER=/backups\nSMTP_HOST=mail\nPORT=${new URL(site.url).port}\n`)
    const run = (line: string) => runMain(line.split(' '), { root: place, env: { DATABASE_URL: url } })
    const { code, stdout } = await run('doctor --quiet')
    const sentence = 'BACKUP_FOLDER in .env is not a setting, and does nothing. Did you mean BACKUP_DIR?'
    expect([code, stdout]).toEqual([0, `warning\tSettings\t${sentence}\n`])
    expect((await run('doctor --quiet --strict')).code).toBe(1)
    const [, settings] = JSON.parse((await run('doctor --json')).stdout)
    expect(settings).toEqual({ name: 'Settings', ok: true, warning: true, text: sentence })
  })

  it('names a password of which only a part is read, and says so also where that is why it cannot be used', async () => {
    const { rsvp, place } = installation('cut settings')
    await rsvp('init', '--yes', '--quiet')
    const sentence =
      "ADMIN_PASSWORD in .env is read only as far as its #. Put the whole value in quotes, e.g. ADMIN_PASSWORD='a#b'."
    const env = { DATABASE_URL: url, PORT: quietPort }
    const run = (line: string) => runMain(line.split(' '), { root: place, env })
    writeFileSync(join(place, '.env'), 'ADMIN_PASSWORD=correct horse#battery\n')
    expect((await run('doctor')).stdout).toContain(`\nwarning\tSettings\t${sentence}\n`)
    writeFileSync(join(place, '.env'), 'ADMIN_PASSWORD=correct#horse battery\n')
    expect((await run('list')).stderr).toBe(`ADMIN_PASSWORD cannot be used. Give 12 to 128 characters.\n${sentence}\n`)
  })

  it('marks a warning in a terminal', async () => {
    const terminal = rsvpInTerminal(url, ['doctor'], { env: { ...plain, PORT: quietPort } })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/^! Address +A site serves from/m)
  })
})
