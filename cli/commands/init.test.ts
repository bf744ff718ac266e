import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { inDatabase } from '../fixtures.ts'
import { installation, inTerminal } from '../installation-fixtures.ts'

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
    expect(await rsvp('share')).toMatchObject({ stdout: 'http://localhost:8080/share\n' })
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

  it('says what prevents the site from starting', async () => {
    const { code, stderr } = await installation('public').rsvp(
      'init',
      '--yes',
      '--public-url',
      'https://rsvp.example.org',
    )
    expect(code).toBe(0)
    expect(stderr).toMatch(/^The settings are saved\. Before the site can start: PUBLIC_URL=https:.+ can be reached/)
    expect(stderr).toContain('RSVP_ACCESS=open')
  })

  it('keeps every other line of .env', async () => {
    const { rsvp, place, env, mode } = installation('kept')
    const before =
      '# Us\nexport PORT = 8080\nTZ=UTC\n#PUBLIC_URL=no\nexport TZ=Asia/Tokyo\nOTHER="a # b"\n\nLOG_LEVEL=warn'
    writeFileSync(join(place, '.env'), before, { mode: 0o644 })
    const words = ['--time-zone', 'America/Chicago', '--public-url', 'http://localhost:8080']
    expect(await rsvp('init', '--yes', ...words)).toMatchObject({ code: 0 })
    const after = before.replace('export TZ=Asia/Tokyo', 'TZ=America/Chicago')
    expect(env()).toBe(`${after}\nPUBLIC_URL=http://localhost:8080\n`)
    await rsvp('init', '--yes', '--public-url', 'http://localhost')
    expect(env()).toBe(`${after}\nPUBLIC_URL=http://localhost\n`)
    expect(mode('.env')).toBe('640')
    expect((await rsvp('init', '--print', 'caddy')).stdout).toContain('127.0.0.1:8080')
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

  it.each([
    ['the address', '--public-url', 'rsvp.example.org', 78, 'PUBLIC_URL is not the address of a site.'],
    ['the time zone', '--time-zone', 'Mars/Olympus', 78, 'TZ is not a time zone.'],
    ['the database', '--db', 'mysql://x', 2, '--db is not a database.'],
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
      `Would make the database file:${join(place, 'data/rsvp.db')}, if it is not there yet.`,
      'Would set when services are: on Saturdays',
      'Would set when services are: at 6:00 PM',
      'Would set the title of the event: Harvest',
      '',
    ])
    expectUntouched()
  })

  it.each(['--title=Harvest', '--dry-run'])('requires --yes without a terminal (%s)', async (option) => {
    const { rsvp, expectUntouched } = installation(`unasked ${option}`)
    const { code, stdout, stderr } = await rsvp('init', option)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^No terminal to ask on: add --yes to take the defaults\.\nsee rsvp init --help\n$/)
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
  const { title, date, time: hour, location } = testEvent()
  const presets = ['http://localhost:8080', 'UTC', 'Saturday', '10:00 AM', title, date, hour, location]

  it('asks for everything, and Enter accepts each default', async () => {
    const { command, place } = installation('defaults')
    const { ended, enter } = inTerminal('env', 'PUBLIC_URL=http://localhost:8080', command, 'init')
    for (const [at, question] of questions.entries()) await enter(`${question} ${presets[at]}`)
    expect(await ended).toBe(0)
    expect(existsSync(join(place, '.env'))).toBe(false)
    const count = (database: DatabaseSync) => database.prepare('SELECT count(*) AS stored FROM events').get()
    expect(inDatabase(`file:${join(place, 'data/rsvp.db')}`, count)).toEqual({ stored: 0 })
  })

  it('asks only for what is not given, and nothing with --yes', async () => {
    const { command, env } = installation('few questions')
    const given = ['--time-zone=UTC', '--weekday=sat', '--start=10:00', '--title=A', '--date=B', '--time=C']
    const { ended, screen, enter } = inTerminal(command, 'init', ...given)
    await enter(address)
    await enter('Where it is:')
    expect(await ended).toBe(0)
    expect(screen()).toMatch(/^Address [^\n]+\nWhere it is:/)
    expect(env()).toBe('TZ=UTC\n')
    expect(await inTerminal(command, 'init', '--yes').ended).toBe(0)
  })

  it('ignores what was typed before a question was shown', async () => {
    const { command } = installation('typed ahead')
    const service = ['--time-zone=UTC', '--weekday=sat', '--start=10:00']
    const given = ['--dry-run', ...service, '--public-url=http://localhost', '--title=A', '--date=B']
    const { ended, screen, shows, hears, press } = inTerminal(command, 'init', ...given)
    press('before the first')
    await hears(time)
    press('noon\rbehind it\r')
    await hears('Where it is:')
    press('\u001b[200~by the\nlake\r\u001b[201~')
    await shows('Where it is: by the lake█')
    press('\r')
    expect(await ended).toBe(0)
    expect(screen()).toMatch(/^Time, as people should read it: noon\nWhere it is: by the lake\n/)
    expect(screen().match(/the (?:time|location) of the event: .+/g)).toEqual([
      'the time of the event: noon',
      'the location of the event: by the lake',
    ])
  })

  it('stores the inputs, and asks again where one is wrong', async () => {
    const { command, env, event, mode } = installation('inputs')
    const { ended, screen, shows, enter, press } = inTerminal(command, 'init', '--date', 'May 5')
    await enter(address, 'rsvp.example.org')
    await shows('That is not the address of a site.')
    await delay(300)
    expect(screen()).toContain('That is not')
    for (const key of ['\u0015', 'x', '\u007f', '\u0017']) await delay(100, press(key))
    await enter(address, 'http://localhost:8080')
    await enter('Time zone:', 'Chicago')
    await shows('That is not a time zone.')
    press('\u0015')
    await enter('Time zone:', 'America/Chicago')
    await enter(weekday, 'sabbath')
    await shows('"sabbath" is not a weekday. Give one, e.g. saturday.')
    press('\u0015')
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
    expect(screen()).not.toContain('That is not')
  })

  it('sets and confirms the schedule in the same time zone, and proposes texts that fit it', async () => {
    const { command, rsvp, env, event } = installation('sunday')
    const { ended, screen, enter } = inTerminal(command, 'init', '--public-url=http://localhost', '--title=A')
    await enter('Time zone:', 'America/Chicago')
    await enter(weekday, 'sunday')
    await enter(start, '9:30')
    await enter(`${day} Every Sunday`)
    await enter(`${time} 9:30 AM`)
    await enter('Where it is:')
    expect(await ended).toBe(0)
    expect(screen().replaceAll('\n', ' ')).toContain('Services are on Sundays at 9:30 AM (America/Chicago)')
    expect(env()).toBe('PUBLIC_URL=http://localhost\nTZ=America/Chicago\n')
    expect(await event()).toMatchObject({ date: 'Every Sunday', time: '9:30 AM' })
    const { stdout } = await rsvp('schedule')
    expect(stdout).toMatch(/^Weekday\tSunday\nTime\t09:30\n.*\nTime zone\tAmerica\/Chicago\n.*\nConfirmed\tyes\n/)
  })

  it('proposes what is set already, and leaves it', async () => {
    const { command, rsvp, env, event } = installation('again')
    await rsvp('init', '--yes', '--public-url', 'http://localhost:8080', '--title', 'Harvest')
    const { ended, enter } = inTerminal(command, 'init')
    const proposed = presets.with(4, 'Harvest')
    for (const [at, question] of questions.entries()) await enter(`${question} ${proposed[at]}`)
    expect(await ended).toBe(0)
    expect(env()).toBe('PUBLIC_URL=http://localhost:8080\n')
    expect(await event()).toEqual(testEvent({ title: 'Harvest' }))
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
})
