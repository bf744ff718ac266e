import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { installation, inTerminal } from '../installation-fixtures.ts'

const password = 'three quiet otters'

/** Starts the site of an installation with nothing but its own settings, and returns what it prints and reports. */
async function startedSite(place: string) {
  const PORT = String(await freePort())
  const site = spawn(process.execPath, [join(place, 'dist/server/entry.mjs')], { cwd: '/', env: { PORT } })
  try {
    const said = await Promise.race([once(site.stdout, 'data').then(String), once(site.stderr, 'data').then(String)])
    const call = async (path: string) => (await fetch(`http://127.0.0.1:${PORT}${path}`)).json()
    return { said, health: await call('/api/health'), session: await call('/api/session') }
  } finally {
    site.kill('SIGTERM')
    await once(site, 'close')
  }
}

describe('rsvp init with a public address', () => {
  const service = ['--time-zone=UTC', '--weekday=saturday', '--start=10:00']
  const event = [...service, '--title=A', '--date=B', '--time=C', '--location=D']

  it('asks for all that the site needs there, so that it starts afterwards', async () => {
    const { command, place, env, mode } = installation('public site', ['dist/server', 'dist/client'])
    const { ended, screen, shows, enter, press } = inTerminal(command, 'init', ...event)
    await enter('Address people will use (empty: this computer only):', 'https://rsvp.example.org')
    await enter('Address of the proxy in front of it, or none:')
    await enter('Folder for a backup every night, or none:', 'yes')
    await shows('Give the path of a folder, e.g. ./backups, or none.')
    press('\u0015')
    await enter('Folder for a backup every night, or none:')
    await shows('Password for /admin, 12 to 128 characters:')
    press('short\rshort\r')
    await shows('Three or four words will do.\nPassword for /admin, 12 to 128 characters:')
    press(`${password}\r${password}\r`)
    expect(await ended).toBe(0)
    expect(screen()).not.toContain(password)
    expect(screen()).toContain('https://rsvp.example.org in a browser')
    expect(env()).toBe('TZ=UTC\nPUBLIC_URL=https://rsvp.example.org\nTRUSTED_PROXIES=127.0.0.1\nBACKUP_DIR=./backups\n')
    expect(mode('.env')).toBe('600')
    expect(await startedSite(place)).toEqual({
      said: 'The RSVP site is ready at https://rsvp.example.org\n',
      health: { status: 'ok' },
      session: { mode: 'guarded', signedIn: false },
    })
    expect(readdirSync(place)).toContain('backups')
  })

  it('takes the same from the command line, a folder as relative to the shell', async () => {
    const { rsvp, place, env } = installation('given public')
    const words = [
      '--public-url=https://rsvp.example.org',
      '--trusted-proxies=10.0.0.0/8',
      '--backup-dir=./tmp/backups',
    ]
    expect((await rsvp('init', '--yes', ...words)).code).toBe(0)
    expect(env()).toBe('PUBLIC_URL=https://rsvp.example.org\nTRUSTED_PROXIES=10.0.0.0/8\nBACKUP_DIR=/tmp/backups\n')
    const wrong = await rsvp('init', '--yes', '--trusted-proxies=all')
    expect(wrong).toMatchObject({ code: 78, stderr: expect.stringContaining('TRUSTED_PROXIES is not a list') })
    expect((await rsvp('init', '--yes', '--dry-run', `--backup-dir=${place}/b`)).stdout).toContain(
      'Would set BACKUP_DIR=./b in',
    )
  })
})

describe('rsvp init --db', () => {
  it('leaves a site on the database that it has, unless it is forced', async () => {
    const { rsvp, place, env } = installation('in use')
    await rsvp('init', '--yes', '--quiet')
    const other = `file:${place}/other.db`
    const refused = await rsvp('init', '--yes', '--db', other)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^The site uses .+\/data\/rsvp\.db: .+ Add --force to use .+\/other\.db all the same\.\n$/,
    )
    expect(readdirSync(place)).not.toContain('other.db')
    expect(readdirSync(place)).not.toContain('.env')
    expect((await rsvp('init', '--yes', '--force', '--db', other)).code).toBe(0)
    expect(env()).toBe('DATABASE_URL=file:./other.db\n')
    // The same one again is no change; the one from before is.
    expect((await rsvp('init', '--yes', '--db', other)).code).toBe(0)
    expect((await rsvp('init', '--yes', '--db', `file:${place}/data/rsvp.db`)).code).toBe(1)
  })

  it('asks in a terminal', async () => {
    const { rsvp, command, place, env } = installation('asked')
    await rsvp('init', '--yes', '--quiet', '--db', `file:${place}/one.db`)
    const event = [
      '--time-zone=UTC',
      '--weekday=saturday',
      '--start=10:00',
      '--title=A',
      '--date=B',
      '--time=C',
      '--location=D',
      '--public-url=http://localhost',
    ]
    for (const [key, code, stored] of [
      ['n', 1, 'one'],
      ['y', 0, 'two'],
    ] as const) {
      const { ended, shows, press } = inTerminal(command, 'init', ...event, '--db', `file:${place}/two.db`)
      await shows('two.db from now on?')
      await shows('y/N')
      press(key)
      expect(await ended).toBe(code)
      expect(env()).toContain(`DATABASE_URL=file:./${stored}.db\n`)
    }
  })
})
