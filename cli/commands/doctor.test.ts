import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { inDatabase, makeDatabase, rsvp, rsvpInTerminal, testFolder } from '../fixtures.ts'
import { installation } from '../installation-fixtures.ts'
import { runMain } from '../main-fixtures.ts'

type Finding = { name: string; ok: boolean; text: string }

const everyName = [
  ...['Node', 'Settings', 'Database', 'Integrity', 'Writing', 'Permissions', 'Disk', 'Backup', 'Clock', 'Due'],
  ...['Schedule', 'Mode', 'Address'],
]
const { folder } = testFolder()
const well = `file:${join(folder, 'well', 'rsvp.db')}`
/** Also what a developer's own .env would set, and the port of a site that serves from the database that is well. */
const env = {
  ...{ HOST: '', PORT: '', PUBLIC_URL: '', TRUSTED_PROXIES: '', RSVP_ACCESS: '', ADMIN_PASSWORD: '' },
  ...{ ADMIN_PASSWORD_FILE: '', LOG_LEVEL: '', DATABASE_AUTH_TOKEN: '', BACKUP_DIR: '' },
}
let site: Awaited<ReturnType<typeof startBuiltServer>>

beforeAll(async () => {
  mkdirSync(join(folder, 'well'), { mode: 0o700 })
  site = await startBuiltServer({ DATABASE_URL: well })
  env.PORT = new URL(site.url).port
})
afterAll(() => site.stop())

async function examined(url: string, changes: Partial<typeof env> = {}) {
  const { code, stdout, stderr } = await rsvp(url, ['doctor', '--json'], { env: { ...env, ...changes } })
  expect(stderr).toBe('')
  const findings: Finding[] = JSON.parse(stdout)
  for (const { text } of findings) expect(text).not.toContain('\n')
  expect(code).toBe(findings.every(({ ok }) => ok) ? 0 : 1)
  // The site serves from one of the databases only; what is said of it has tests of its own.
  const wrong = findings.filter(({ name, ok }) => !ok && name !== 'Address')
  const told = Object.fromEntries(findings.map(({ name, text }) => [name, text]))
  return { told, names: findings.map(({ name }) => name), wrong: wrong.map(({ name }) => name) }
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
    const piped = await rsvp(well, ['doctor', '--quiet'], { env: wrong })
    expect(piped).toMatchObject({ code: 1, stdout: expect.stringMatching(/^wrong\tMode\tHOST=0\.0\.0\.0 [^\n]+\n$/) })
  })

  it('names every wrong setting, and then looks no further', async () => {
    const { told, names, wrong } = await examined(well, { PORT: 'abc', LOG_LEVEL: 'loud' })
    expect({ names, wrong }).toEqual({ names: ['Node', 'Settings'], wrong: ['Settings'] })
    expect(told.Settings).toMatch(/PORT is not a port\. .+ LOG_LEVEL is not a log level\. [^\n]+\.$/)
  })
})

describe('rsvp doctor, of .env', () => {
  it('names unknown keys, with those that were meant, and ends with 1 only where it is strict', async () => {
    const { rsvp, place } = installation('unknown keys')
    await rsvp('init', '--yes', '--quiet')
    writeFileSync(join(place, '.env'), `BACKUP_FOLDER=/backups\nSMTP_HOST=mail\nPORT=${env.PORT}\n`)
    const run = (line: string) => runMain(line.split(' '), { root: place, env: { DATABASE_URL: well } })
    const { code, stdout } = await run('doctor --quiet')
    const sentence = 'BACKUP_FOLDER in .env is not a setting, and does nothing. `rsvp help environment` lists them.'
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
    const variables = { DATABASE_URL: well, PORT: env.PORT }
    const run = (line: string) => runMain(line.split(' '), { root: place, env: variables })
    writeFileSync(join(place, '.env'), 'ADMIN_PASSWORD=correct horse#battery\n')
    expect((await run('doctor')).stdout).toContain(`\nwarning\tSettings\t${sentence}\n`)
    writeFileSync(join(place, '.env'), 'ADMIN_PASSWORD=correct#horse battery\n')
    expect((await run('list')).stderr).toBe(`ADMIN_PASSWORD cannot be used. Give 12 to 128 characters.\n${sentence}\n`)
  })
})

describe('rsvp doctor, of who may administer', () => {
  const ADMIN_PASSWORD = 'three quiet otters'
  const HOST = '0.0.0.0'

  it('says so of a site for a whole network, and counts a password in the settings: it is stored at the start', async () => {
    expect((await examined(well, { HOST, RSVP_ACCESS: 'open' })).told.Mode).toBe(
      'open: everyone who can reach it may administer',
    )
    const { told, wrong } = await examined(well, { HOST, ADMIN_PASSWORD })
    expect([wrong, told.Mode]).toEqual([[], 'guarded from the next start: the settings give a password'])
    const unread = await examined(well, { HOST, ADMIN_PASSWORD_FILE: '/nonexistent' })
    expect(JSON.stringify(unread.told)).toContain('ADMIN_PASSWORD_FILE')
    expect(unread.wrong).toHaveLength(1)
  })

  it('counts administrators and owners, and warns when the owners stay away', async () => {
    const url = `file:${join(folder, 'people', 'rsvp.db')}`
    await makeDatabase(url)
    const seen = (days: number) =>
      inDatabase(url, (database) => {
        database.exec('DELETE FROM administrators')
        const insert = database.prepare(
          "INSERT INTO administrators (name, role, created_at, seen_at) VALUES ('Ruth', ?, 0, ?)",
        )
        insert.run('owner', Date.now() - days * 86_400_000)
        insert.run('clerk', Date.now())
      })
    seen(89)
    expect((await examined(url)).told.Mode).toBe('guarded: 2 administrators, 1 owner')
    seen(91)
    expect((await examined(url)).told.Mode).toMatch(
      /^guarded: 2 administrators, 1 owner\. No owner was there for 90 days/,
    )
  })

  it('asks for the address of the proxy where one must be in front', async () => {
    const behind = { ADMIN_PASSWORD, PUBLIC_URL: 'https://rsvp.example.org' }
    const { told, wrong } = await examined(well, behind)
    expect([wrong, told.Proxy]).toEqual([['Proxy'], expect.stringContaining(' TRUSTED_PROXIES ')])
    const known = await examined(well, { ...behind, TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' })
    expect(known.told.Proxy).toBe('forwarded addresses from 127.0.0.1, 10.0.0.0/8 are trusted')
  })
})
