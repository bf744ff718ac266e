import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { inDatabase } from '../fixtures.ts'
import { installation, inTerminal } from '../installation-fixtures.ts'
import { runMain } from '../main-fixtures.ts'

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

describe('rsvp init without questions', () => {
  it('makes the database and changes nothing else where nothing is given', async () => {
    const { rsvp, place, mode, event } = installation('plain')
    const { code, stdout, stderr } = await rsvp('init', '--yes')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^All is set up\. Start the site with `npm start`, then open\nhttp:\/\/localhost:4321 in/)
    expect(existsSync(join(place, '.env'))).toBe(false)
    expect([mode('data'), mode('data/rsvp.db')]).toEqual(['700', '600'])
    expect(await event()).toEqual(testEvent())
    expect(await rsvp('init', '--yes', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('writes what is given: settings into .env for this account only, texts into the event', async () => {
    const { rsvp, env, mode, event } = installation('given')
    const settings = ['--public-url', 'http://localhost:8080', '--time-zone', 'America/Chicago']
    const texts = ['--title', 'Harvest', '--date', 'May 5', '--time', 'noon', '--location', 'By the lake']
    const { code, stderr } = await rsvp('init', '--yes', ...settings, ...texts)
    expect(code).toBe(0)
    expect(stderr).toContain('http://localhost:8080 in a browser')
    expect(env()).toBe('PUBLIC_URL=http://localhost:8080\nTZ=America/Chicago\n')
    expect(mode('.env')).toBe('600')
    const harvest = testEvent({ title: 'Harvest', date: 'May 5', time: 'noon', location: 'By the lake' })
    expect(await event()).toEqual(harvest)

    expect(await rsvp('init', '--yes', '--time', '9:30 AM')).toMatchObject({ code: 0 })
    expect(await event()).toEqual({ ...harvest, time: '9:30 AM' })
  })

  it('confirms a schedule only where something of it is given, in the time zone of the church', async () => {
    const { rsvp } = installation('schedule')
    const shown = async () => (await rsvp('schedule')).stdout
    await rsvp('init', '--yes', '--time-zone', 'America/Chicago')
    expect(await shown()).toMatch(/^Weekday\tSaturday\n[\s\S]*\nConfirmed\tno\n/)
    const service = ['--time-zone', 'America/Chicago', '--weekday', 'sunday', '--start', '9:30']
    const { stderr } = await rsvp('init', '--yes', ...service)
    expect(stderr).toMatch(/^Services are on Sundays at 9:30 AM \(America\/Chicago\), 2 hours long\. /)
    expect(await shown()).toMatch(/\nConfirmed\tyes\n/)
    await rsvp('init', '--yes', '--time-zone', 'America/Denver')
    expect(await shown()).toMatch(/^Weekday\tSunday\nTime\t09:30\n[\s\S]*\nTime zone\tAmerica\/Denver\n/)
    expect(await rsvp('init', '--yes', '--weekday', 'sabbath')).toMatchObject({ code: 2 })
  })

  it('says what prevents the site from starting, and nothing of it once a password is set', async () => {
    const { rsvp, place, env } = installation('public')
    const words = [
      '--public-url=https://rsvp.example.org',
      '--trusted-proxies=10.0.0.0/8',
      '--backup-dir=./tmp/backups',
    ]
    const { code, stderr } = await rsvp('init', '--yes', ...words)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^The settings are saved\. Before the site can start: PUBLIC_URL=https:.+ can be reached/)
    expect(stderr).toContain('RSVP_ACCESS=open')
    // A folder is relative to the shell.
    expect(env()).toBe('PUBLIC_URL=https://rsvp.example.org\nTRUSTED_PROXIES=10.0.0.0/8\nBACKUP_DIR=/tmp/backups\n')
    expect(await runMain(['password', '--quiet'], { root: place, input: password })).toMatchObject({ code: 0 })
    const after = (await rsvp('init', '--yes')).stderr
    expect(after).toMatch(
      /^All is set up\. Start the site with `npm start`, then open\nhttps:\/\/rsvp\.example\.org in/,
    )
    expect(after).not.toContain('can be reached')
  })

  it('keeps --db in .env, so that everything finds the database there', async () => {
    const { rsvp, place, env, mode } = installation('elsewhere')
    // Relative to the working directory of the shell, which is /.
    const db = `file:.${place}/St. Mary/responses.db`
    expect(await rsvp('init', '--yes', '--db', db)).toMatchObject({ code: 0 })
    expect(env()).toBe('DATABASE_URL=file:./St. Mary/responses.db\n')
    expect([mode('St. Mary'), mode('St. Mary/responses.db')]).toEqual(['700', '600'])
    expect(await rsvp('list')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('leaves a site on the database that it has, unless it is forced', async () => {
    const { rsvp, place, env } = installation('in use')
    await rsvp('init', '--yes', '--quiet')
    const other = `file:${place}/other.db`
    const refused = await rsvp('init', '--yes', '--db', other)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^The site uses .+\/data\/rsvp\.db: .+ Add --force to use .+\/other\.db anyway\.\n$/)
    expect(readdirSync(place)).not.toContain('other.db')
    expect(readdirSync(place)).not.toContain('.env')
    expect((await rsvp('init', '--yes', '--force', '--db', other)).code).toBe(0)
    expect(env()).toBe('DATABASE_URL=file:./other.db\n')
    // The same one again is no change; the one from before is.
    expect((await rsvp('init', '--yes', '--db', other)).code).toBe(0)
    expect((await rsvp('init', '--yes', '--db', `file:${place}/data/rsvp.db`)).code).toBe(1)
  })

  it.each([
    ['the address', '--public-url', 'rsvp.example.org', 78, 'PUBLIC_URL is not the address of a site.'],
    ['the proxy', '--trusted-proxies', 'all', 78, 'TRUSTED_PROXIES is not a list'],
    ['the file of the database', '--db', 'file:PLACE/package.json', 78, 'There is no usable database at'],
    ['a text', '--title', 'x'.repeat(2001), 2, 'The page title may have at most 2,000 characters.'],
  ])('writes nothing when %s is invalid', async (what, option, value, expected, sentence) => {
    const { rsvp, place, expectUntouched } = installation(what)
    // This one is valid, but is not written either.
    const other = option === '--time-zone' ? ['--date', 'May 5'] : ['--time-zone', 'America/Chicago']
    const { code, stdout, stderr } = await rsvp('init', '--yes', ...other, option, value.replace('PLACE', place))
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toMatch(code === 2 ? /^[^\n]+\.\nsee rsvp init --help\n$/ : /^[^\n]+\.\n$/)
    expect(stderr).toContain(sentence)
    expectUntouched()
  })

  it('only says what it would do with --dry-run', async () => {
    const { rsvp, place, expectUntouched } = installation('dry')
    const words = ['--time-zone', 'America/Chicago', '--weekday=sat', '--start=6pm', '--title', 'Harvest']
    const { code, stdout, stderr } = await rsvp('init', '--yes', '--dry-run', ...words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      `Would set TZ=America/Chicago in ${join(place, '.env')}.`,
      `Would create the database file:${join(place, 'data/rsvp.db')}, if it does not exist yet.`,
      'Would set the schedule: on Saturdays',
      'Would set the schedule: at 6:00 PM',
      'Would set the title of the event: Harvest',
      '',
    ])
    expectUntouched()
  })

  it('requires --yes without a terminal', async () => {
    const { rsvp, expectUntouched } = installation('unasked')
    const stderr = 'No terminal to ask on: add --yes to take the defaults.\nsee rsvp init --help\n'
    expect(await rsvp('init', '--title=Harvest')).toEqual({ code: 2, stdout: '', stderr })
    expectUntouched()
  })
})

describe.concurrent('rsvp init in a terminal', () => {
  const address = 'Address people will use (empty: this computer only):'
  const time = 'Time, as people should read it:'
  const day = 'Day, as people should read it:'
  const weekday = 'Day of the week of the service:'
  const start = 'When it starts:'
  const questions = [address, 'Time zone:', weekday, start, 'Title of the page:', day, time, 'Where it is:']
  const given = [
    ...['--time-zone=UTC', '--weekday=saturday', '--start=10:00'],
    ...['--title=A', '--date=B', '--time=C', '--location=D'],
  ]
  const { title, date, time: hour, location } = testEvent()
  const presets = ['http://localhost:8080', 'UTC', 'Saturday', '10:00 AM', title, date, hour, location]

  it('stores the inputs, and asks again where one is wrong', async () => {
    const { command, env, event, mode } = installation('inputs')
    const { ended, screen, shows, enter } = inTerminal(command, 'init', '--date', 'May 5')
    await enter(address, 'rsvp.example.org')
    await shows('That is not the address of a site.')
    await enter(address, 'http://localhost:8080')
    await enter('Time zone:', 'Chicago')
    await shows('That is not a time zone.')
    await enter('Time zone:', 'America/Chicago')
    await enter(weekday, 'sabbath')
    await shows('"sabbath" is not a weekday. Give one, e.g. saturday.')
    await enter(weekday, 'sat')
    await enter(start, '6:30 pm')
    await enter('Title of the page:', 'Harvest Sabbath — ü')
    await enter(time, 'noon')
    await enter('Where it is:')
    expect(await ended).toBe(0)
    expect(screen()).toContain('All is set up.')
    expect(screen()).not.toContain(day)
    expect(env()).toBe('PUBLIC_URL=http://localhost:8080\nTZ=America/Chicago\n')
    expect([mode('.env'), mode('data'), mode('data/rsvp.db')]).toEqual(['600', '700', '600'])
    expect(await event()).toEqual(testEvent({ title: 'Harvest Sabbath — ü', date: 'May 5', time: 'noon' }))
  })

  it('sets and confirms the schedule in the same time zone, and proposes texts that fit it', async () => {
    const { command, rsvp, env, event } = installation('sunday')
    const { ended, screen, enter } = inTerminal(command, 'init', '--public-url=http://localhost', '--title=A')
    await enter('Time zone:', 'America/Chicago')
    await enter(weekday, 'sunday')
    await enter(start, '9:30')
    await enter(`${day} (Every Sunday)`)
    await enter(`${time} (9:30 AM)`)
    await enter('Where it is:')
    expect(await ended).toBe(0)
    expect(screen().replaceAll('\n', ' ')).toContain('Services are on Sundays at 9:30 AM (America/Chicago)')
    expect(env()).toBe('PUBLIC_URL=http://localhost\nTZ=America/Chicago\n')
    expect(await event()).toMatchObject({ date: 'Every Sunday', time: '9:30 AM' })
    const { stdout } = await rsvp('schedule')
    expect(stdout).toMatch(/^Weekday\tSunday\nTime\t09:30\n.*\nTime zone\tAmerica\/Chicago\n.*\nConfirmed\tyes\n/)
  })

  it('asks for everything, Enter accepts each default, and what is set already is left', async () => {
    const { command, rsvp, place, env, event } = installation('again')
    await rsvp('init', '--yes', '--public-url', 'http://localhost:8080')
    const { ended, enter } = inTerminal(command, 'init')
    for (const [at, question] of questions.entries()) await enter(`${question} (${presets[at]})`)
    expect(await ended).toBe(0)
    expect([env(), await event()]).toEqual(['PUBLIC_URL=http://localhost:8080\n', testEvent()])
    const stored = inDatabase(`file:${join(place, 'data/rsvp.db')}`, (database) =>
      database.prepare('SELECT count(*) AS stored FROM events').get(),
    )
    expect(stored).toEqual({ stored: 0 })
  })

  it('writes nothing when Ctrl+C interrupts it', async () => {
    const { command, expectUntouched } = installation('interrupted')
    const { ended, screen, shows, enter, press } = inTerminal(command, 'init', '--public-url', 'http://localhost:8080')
    await enter('Time zone:', 'America/Chicago')
    await shows(weekday)
    press('\u0003')
    expect(await ended).toBe(130)
    expect(screen()).not.toContain(day)
    expectUntouched()
  })

  it('asks for all that the site needs there, so that it starts afterwards', async () => {
    const { command, place, env, mode } = installation('public site', ['dist/server', 'dist/client'])
    const { ended, screen, shows, enter, press } = inTerminal(command, 'init', ...given)
    await enter('Address people will use (empty: this computer only):', 'https://rsvp.example.org')
    await enter('Address of the proxy in front of it, or none:')
    await enter('Folder for a backup every night, or none:', 'yes')
    await shows('Give the path of a folder, e.g. ./backups, or none.')
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

  it('asks before a site that has a database gets another one', async () => {
    const { rsvp, command, place, env } = installation('asked')
    await rsvp('init', '--yes', '--quiet', '--db', `file:${place}/one.db`)
    const words = [...given, '--public-url=http://localhost', '--db', `file:${place}/two.db`]
    const { ended, shows, press } = inTerminal(command, 'init', ...words)
    await shows('two.db from now on?')
    await shows('y/N')
    press('n')
    expect(await ended).toBe(1)
    expect(env()).toContain('DATABASE_URL=file:./one.db\n')
  })
})
