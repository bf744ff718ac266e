import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { Terminal } from '@xterm/headless'
import { describe, expect, it, vi } from 'vitest'
import { projectRoot } from '#db/config.ts'
import { testEvent } from '#db/fixtures.ts'
import { inDatabase, testFolder } from '../fixtures.ts'

const { folder } = testFolder()

/** A copy of what is installed, because it is beside package.json that settings are written. */
function installation(name: string) {
  const place = join(folder, name)
  for (const part of ['cli/rsvp', 'cli/launcher.cjs', 'dist/cli', 'db/migrations', 'package.json']) {
    // Whatever runs at the same time writes into the cache.
    const filter = (path: string) => basename(path) !== 'cache'
    cpSync(join(projectRoot, part), join(place, part), { recursive: true, filter })
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(place, 'node_modules'))
  const command = join(place, 'cli', 'rsvp')
  const untouched = readdirSync(place)

  function rsvp(...words: string[]) {
    const { status, stdout, stderr } = spawnSync(command, words, { cwd: '/', env: {}, encoding: 'utf8', input: '' })
    return { code: status, stdout, stderr }
  }

  return {
    place,
    command,
    rsvp,
    env: () => readFileSync(join(place, '.env'), 'utf8'),
    mode: (path: string) => (statSync(join(place, path)).mode & 0o777).toString(8),
    event: () => JSON.parse(rsvp('event', 'show', '--json').stdout),
    expectUntouched: () => expect(readdirSync(place)).toEqual(untouched),
  }
}

function inTerminal(command: string, ...words: string[]) {
  const terminal = new Terminal({ cols: 100, rows: 30, allowProposedApi: true })
  const env = { TERM: 'xterm-256color', TZ: 'UTC' }
  const process_ = spawnInTerminal(command, words, { name: 'xterm-256color', cols: 100, rows: 30, cwd: '/', env })
  process_.onData((text) => terminal.write(text))
  const ended = new Promise<number>((resolve) =>
    process_.onExit(({ exitCode }) => terminal.write('', () => resolve(exitCode))),
  )
  const { active } = terminal.buffer
  const screen = () => Array.from({ length: 30 }, (_, row) => active.getLine(row)?.translateToString(true)).join('\n')
  const shows = (text: string) => vi.waitFor(() => expect(screen()).toContain(text), { timeout: 30_000 })

  /** Types a text if there is one, and presses enter once it is to be seen. */
  async function answer(question: string, text = '') {
    await shows(question)
    // It is drawn a moment before keys are read, and until then the terminal itself would take the enter.
    await delay(200)
    process_.write(text)
    await shows(text === '' ? question : `${question} ${text}`)
    process_.write('\r')
  }

  return { ended, screen, shows, answer, press: (keys: string) => process_.write(keys) }
}

describe('rsvp init --yes', () => {
  it('makes the database and changes nothing else where nothing is given', () => {
    const { rsvp, place, mode, event } = installation('plain')
    const { code, stdout, stderr } = rsvp('init', '--yes')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^All is set up\. Start the site with `npm start`, then open\nhttp:\/\/localhost:4321 in/)
    expect(existsSync(join(place, '.env'))).toBe(false)
    expect([mode('data'), mode('data/rsvp.db')]).toEqual(['700', '600'])
    expect(event()).toEqual(testEvent())
    expect(rsvp('init', '--yes', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('writes what is given: settings into .env for this account only, texts into the event', () => {
    const { rsvp, env, mode, event } = installation('given')
    const settings = ['--public-url', 'http://localhost:8080', '--time-zone', 'America/Chicago']
    const texts = ['--title', 'Harvest', '--date', 'May 5', '--time', 'noon', '--location', 'By the lake']
    const { code, stderr } = rsvp('init', '--yes', ...settings, ...texts)
    expect(code).toBe(0)
    expect(stderr).toContain('http://localhost:8080 in a browser')
    expect(env()).toBe('PUBLIC_URL=http://localhost:8080\nTZ=America/Chicago\n')
    expect(mode('.env')).toBe('600')
    const harvest = testEvent({ title: 'Harvest', date: 'May 5', time: 'noon', location: 'By the lake' })
    expect(event()).toEqual(harvest)

    expect(rsvp('init', '--yes', '--time', '9:30 AM')).toMatchObject({ code: 0 })
    expect(event()).toEqual({ ...harvest, time: '9:30 AM' })
    expect(rsvp('share')).toMatchObject({ stdout: 'http://localhost:8080/share\n' })
  })

  it('says what stands in the way of the start', () => {
    const { code, stderr } = installation('public').rsvp('init', '--yes', '--public-url', 'https://rsvp.example.org')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^The settings are saved\. Before the site can start: PUBLIC_URL=https:.+ can be reached/)
    expect(stderr).toContain('RSVP_ACCESS=open')
  })

  it('keeps every other line of .env', () => {
    const { rsvp, place, env, mode } = installation('kept')
    const before =
      '# Us\nexport PORT = 8080\nTZ=UTC\n#PUBLIC_URL=no\nexport TZ=Asia/Tokyo\nOTHER="a # b"\n\nLOG_LEVEL=warn'
    writeFileSync(join(place, '.env'), before, { mode: 0o644 })
    const words = ['--time-zone', 'America/Chicago', '--public-url', 'http://localhost:8080']
    expect(rsvp('init', '--yes', ...words)).toMatchObject({ code: 0 })
    const after = before.replace('export TZ=Asia/Tokyo', 'TZ=America/Chicago')
    expect(env()).toBe(`${after}\nPUBLIC_URL=http://localhost:8080\n`)
    rsvp('init', '--yes', '--public-url', 'http://localhost')
    expect(env()).toBe(`${after}\nPUBLIC_URL=http://localhost\n`)
    expect(mode('.env')).toBe('600')
    expect(rsvp('init', '--print', 'caddy').stdout).toContain('127.0.0.1:8080')
  })

  it('keeps --db in .env, so that everything finds the database there', () => {
    const { rsvp, env, mode } = installation('elsewhere')
    expect(rsvp('init', '--yes', '--db', 'file:./St. Mary/answers.db')).toMatchObject({ code: 0 })
    expect(env()).toBe('DATABASE_URL=file:./St. Mary/answers.db\n')
    expect([mode('St. Mary'), mode('St. Mary/answers.db')]).toEqual(['700', '600'])
    expect(rsvp('list')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it.each([
    ['the address', '--public-url', 'rsvp.example.org', 78, 'PUBLIC_URL is not the address of a site.'],
    ['the time zone', '--time-zone', 'Mars/Olympus', 78, 'TZ is not a time zone.'],
    ['the database', '--db', 'mysql://x', 78, 'DATABASE_URL is not a database.'],
    ['the file of the database', '--db', 'file:./package.json', 78, 'There is no usable database at'],
    ['a text', '--title', 'x'.repeat(2001), 2, 'The page title may have at most 2,000 characters.'],
  ])('writes nothing at all when %s does not fit', (what, option, value, expected, sentence) => {
    const { rsvp, expectUntouched } = installation(what)
    // This could be written; all of it or nothing is.
    const other = option === '--time-zone' ? ['--date', 'May 5'] : ['--time-zone', 'America/Chicago']
    const { code, stdout, stderr } = rsvp('init', '--yes', ...other, option, value)
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toMatch(code === 2 ? /^[^\n]+\.\n\nUsage: rsvp init / : /^[^\n]+\.\n$/)
    expect(stderr).toContain(sentence)
    expectUntouched()
  })

  it('only says what it would do with --dry-run', () => {
    const { rsvp, place, expectUntouched } = installation('dry')
    const words = ['--time-zone', 'America/Chicago', '--title', 'Harvest']
    const { code, stdout, stderr } = rsvp('init', '--yes', '--dry-run', ...words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      `Would set TZ=America/Chicago in ${join(place, '.env')}.`,
      `Would make the database file:${join(place, 'data/rsvp.db')}, if it is not there yet.`,
      'Would set the title of the event: Harvest',
      '',
    ])
    expectUntouched()
  })

  it.each(['--title=Harvest', '--dry-run'])('is needed where nobody can be asked (%s)', (option) => {
    const { rsvp, expectUntouched } = installation(`unasked ${option}`)
    const { code, stdout, stderr } = rsvp('init', option)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Nobody can be asked here: add --yes to take the defaults\.\n\nUsage: rsvp init /)
    expectUntouched()
  })
})

describe('rsvp init in a terminal', () => {
  const address = 'Address people will use (empty: this computer only):'
  const time = 'Time, as people should read it:'
  const day = 'Day, as people should read it:'
  const questions = [address, 'Time zone:', 'Title of the page:', day, time, 'Where it is:']
  const { title, date, time: hour, location } = testEvent()
  const presets = ['http://localhost:8080', 'UTC', title, date, hour, location]

  it('asks for everything, and enter alone takes what is there', async () => {
    const { command, place } = installation('defaults')
    const { ended, answer } = inTerminal('env', 'PUBLIC_URL=http://localhost:8080', command, 'init')
    for (const [at, question] of questions.entries()) await answer(`${question} ${presets[at]}`)
    expect(await ended).toBe(0)
    expect(existsSync(join(place, '.env'))).toBe(false)
    const count = (database: DatabaseSync) => database.prepare('SELECT count(*) AS stored FROM events').get()
    expect(inDatabase(`file:${join(place, 'data/rsvp.db')}`, count)).toEqual({ stored: 0 })
  })

  it('asks only for what is not given, and nothing with --yes', async () => {
    const { command, env } = installation('few questions')
    const given = ['--time-zone=UTC', '--title=A', '--date=B', '--time=C']
    const { ended, screen, answer } = inTerminal(command, 'init', ...given)
    await answer(address)
    await answer('Where it is:')
    expect(await ended).toBe(0)
    expect(screen()).toMatch(/^Address [^\n]+\nWhere it is:/)
    expect(env()).toBe('TZ=UTC\n')
    expect(await inTerminal(command, 'init', '--yes').ended).toBe(0)
  })

  it('stores the answers, and asks again where one is wrong', async () => {
    const { command, env, event, mode } = installation('answers')
    const { ended, screen, shows, answer, press } = inTerminal(command, 'init', '--date', 'May 5')
    await answer(address, 'rsvp.example.org')
    await shows('PUBLIC_URL is not the address of a site.')
    await delay(300)
    expect(screen()).toContain('PUBLIC_URL is not')
    for (const key of ['\u0015', 'x', '\u007f', '\u0017']) await delay(100, press(key))
    await answer(address, 'http://localhost:8080')
    await answer('Time zone:', 'America/Chicago')
    await answer('Title of the page:', 'Harvest Sabbath — ü')
    await answer(time, 'noon')
    await answer('Where it is:')
    expect(await ended).toBe(0)
    expect(screen()).toContain('All is set up.')
    expect(screen()).not.toContain(day)
    expect(env()).toBe('PUBLIC_URL=http://localhost:8080\nTZ=America/Chicago\n')
    expect([mode('.env'), mode('data'), mode('data/rsvp.db')]).toEqual(['600', '700', '600'])
    expect(event()).toEqual(testEvent({ title: 'Harvest Sabbath — ü', date: 'May 5', time: 'noon' }))
    expect(screen()).not.toContain('PUBLIC_URL is not')
  })

  it('proposes what is set already, and leaves it', async () => {
    const { command, rsvp, env, event } = installation('again')
    rsvp('init', '--yes', '--public-url', 'http://localhost:8080', '--title', 'Harvest')
    const { ended, answer } = inTerminal(command, 'init')
    const proposed = presets.with(2, 'Harvest')
    for (const [at, question] of questions.entries()) await answer(`${question} ${proposed[at]}`)
    expect(await ended).toBe(0)
    expect(env()).toBe('PUBLIC_URL=http://localhost:8080\n')
    expect(event()).toEqual(testEvent({ title: 'Harvest' }))
  })

  it('writes nothing when Ctrl+C interrupts it', async () => {
    const { command, expectUntouched } = installation('interrupted')
    const { ended, screen, shows, answer, press } = inTerminal(command, 'init', '--public-url', 'http://localhost:8080')
    await answer('Time zone:', 'America/Chicago')
    await shows('Title of the page:')
    press('\u0003')
    expect(await ended).toBe(130)
    expect(screen()).not.toContain(day)
    expectUntouched()
  })
})

describe('rsvp init --print', () => {
  /** Blanks and percent signs mean something to systemd and to cron. */
  const name = 'St. Mary 100% rsvp'

  it('prints a unit that starts the site of this folder', () => {
    const { rsvp, place, expectUntouched } = installation(`${name} unit`)
    const { code, stdout, stderr } = rsvp('init', '--print', 'systemd')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const escaped = place.replaceAll('%', '%%')
    expect(stdout).toContain(`\nWorkingDirectory=${escaped}\nExecStart=/bin/sh "${escaped}/cli/rsvp" serve\n`)
    expect(stdout).toContain(`\nUser=${userInfo().username}\n`)
    expect(stdout).toMatch(/^(?!.*SuccessExitStatus).*\nRestart=on-failure\nRestartSec=2\nRestartPreventExit.+=78\n/s)
    expectUntouched()
  })

  it.for([name, "St Mary's"])('prints a unit that systemd accepts, in the folder %s', (folderName, { skip }) => {
    const judge = 'systemd-analyze'
    skip(spawnSync(judge, ['--version']).error !== undefined, `${judge} is not installed here.`)
    const { rsvp, place } = installation(`${folderName} verify`)
    const unit = join(place, 'rsvp.service')
    writeFileSync(unit, rsvp('init', '--print', 'systemd').stdout)
    const { status, stderr } = spawnSync(judge, ['verify', unit], { encoding: 'utf8' })
    expect([status, stderr.split('\n').filter((line) => line.includes('rsvp'))]).toEqual([0, []])
  })

  it.each([name, "St Mary's"])('prints lines that cron runs, in the folder %s', (folderName) => {
    const { rsvp, place } = installation(`${folderName} cron`)
    rsvp('init', '--yes')
    const { stdout } = rsvp('init', '--print', 'crontab')
    expect(stdout).toMatch(/^#.+install -d -m 700 \/backups\n/)
    const backups = String(mkdirSync(join(place, 'backups'), { recursive: true }))
    for (const [, command = ''] of stdout.matchAll(/^\d0 2 \* \* \* (.+)$/gm)) {
      // Cron ends the command at a percent sign without a backslash (crontab(5)).
      const [unescaped = ''] = command.split(/(?<!\\)%/)
      const shell = unescaped.replaceAll('\\%', '%').replace('/backups/', `'${backups.replaceAll("'", "'\\''")}/'`)
      const cron = { SHELL: '/bin/sh', PATH: '/usr/bin:/bin', LOGNAME: 'rsvp' }
      const ended = spawnSync('/bin/sh', ['-c', shell], { cwd: '/', env: cron, encoding: 'utf8' })
      expect(ended).toMatchObject({ status: 0, output: [null, '', ''] })
    }
    expect(readdirSync(backups).sort()).toEqual([
      expect.stringMatching(/^rsvp-\d{4}-\d{2}-\d{2}T.+\.db$/),
      expect.stringMatching(/^rsvps-\d{4}-\d{2}-\d{2}\.csv$/),
    ])
  })

  it('prints a proxy for the address people use', () => {
    const { rsvp, place, expectUntouched } = installation('caddy')
    const stdout = 'rsvp.example.org {\n\treverse_proxy 127.0.0.1:4321\n}\n'
    expect(rsvp('init', '--print', 'caddy')).toEqual({ code: 0, stdout, stderr: '' })
    expectUntouched()
    writeFileSync(join(place, '.env'), 'PUBLIC_URL=https://parish.example.com\nPORT=8080\n')
    expect(rsvp('init', '--print', 'caddy').stdout).toBe('parish.example.com {\n\treverse_proxy 127.0.0.1:8080\n}\n')
    const other = rsvp('init', '--print', 'caddy', '--public-url', 'https://rsvp.example.com')
    expect(other.stdout).toBe('rsvp.example.com {\n\treverse_proxy 127.0.0.1:8080\n}\n')
    writeFileSync(join(place, '.env'), 'PORT=abc\n')
    expect(rsvp('init', '--print', 'caddy')).toMatchObject({ code: 78, stdout: '' })
  })
})
