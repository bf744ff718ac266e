import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { copyCommand } from '../../scripts/testing/copy-project.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { testFolder } from '../fixtures.ts'
import { runMain } from '../main-fixtures.ts'
import { topics } from '../program/help.ts'

const { folder } = testFolder()
const place = join(folder, 'site')
const backups = join(folder, 'backups')
const lockScript = join(projectRoot, 'scripts', 'testing', 'lock-database.mjs')

/** The line that `rsvp help cron` shows, and in it the folders of whoever follows it. */
const topic = (await topics.get('cron')?.()) ?? ''
const [, line = ''] = /^ +((?:\S+ ){5}.*rsvp export --out \/backups\/.*)$/m.exec(topic) ?? []
const [, times = '', shown = ''] = /^((?:\S+ ){5})(.*)$/.exec(line) ?? []

/** Exactly such a command, the way cron runs it: next to nothing in the environment, no terminal, from `/`. */
function runLikeCron(asAnother: string[] = [], command = shown) {
  const call = command.replace(/\S+(?=\/cli\/rsvp )/, place).replace('/backups/', `${backups}/`)
  const surroundings = ['-i', 'SHELL=/bin/sh', 'PATH=/usr/bin:/bin', 'LOGNAME=clerk']
  const { status, stdout, stderr } = spawnSync('env', [...surroundings, ...asAnother, 'sh', '-c', call], {
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { code: status, stdout, stderr }
}

/** What cron mails is one sentence. */
function expectRefused({ code, stdout, stderr }: ReturnType<typeof runLikeCron>, expected: number, sentence: RegExp) {
  expect(stderr).toMatch(/^[^\n]+\n$/)
  expect(stderr).toMatch(sentence)
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
}

beforeEach(async () => {
  copyCommand(place)
  mkdirSync(backups, { mode: 0o700 })
  expect((await runMain(['init', '--yes', '--quiet'], { root: place })).code).toBe(0)
})
afterEach(() => {
  rmSync(place, { recursive: true })
  rmSync(backups, { recursive: true, force: true })
})

describe('the line that rsvp help cron shows', () => {
  it('is a line of a crontab, without the percent signs that cron would take for line breaks', () => {
    expect(times).toBe('40 2 * * * ')
    expect(shown).not.toContain('%')
  })

  it('saves the responses where only this account can read them, without a word', () => {
    expect(runLikeCron()).toEqual({ code: 0, stdout: '', stderr: '' })
    const [name = '', ...others] = readdirSync(backups)
    expect(others).toEqual([])
    expect(name).toMatch(/^rsvps-\d{4}-\d{2}-\d{2}\.csv$/)
    expect(readFileSync(join(backups, name), 'utf8')).toMatch(/^\uFEFFId,Name,Email,.+\r\n$/)
    expect(statSync(join(backups, name)).mode & 0o777).toBe(0o600)
  })

  it('says so in a sentence on the same day again, and leaves the file as it is', () => {
    runLikeCron()
    const [name = ''] = readdirSync(backups)
    writeFileSync(join(backups, name), 'of this morning')
    expectRefused(runLikeCron(), 1, /exists already\. Add --force to replace it, or give another --out\.$/m)
    expect(readdirSync(backups)).toEqual([name])
    expect(readFileSync(join(backups, name), 'utf8')).toBe('of this morning')
  })

  it('says so in a sentence when the folder is missing', () => {
    rmSync(backups, { recursive: true })
    expectRefused(runLikeCron(), 1, /^There is no such folder: make it first.+backups/)
    expect(existsSync(backups)).toBe(false)
  })

  it('says so in a sentence when there is no database, and makes none', () => {
    rmSync(join(place, 'data'), { recursive: true })
    expectRefused(runLikeCron(), 78, /^There is no database at /)
    expect(existsSync(join(place, 'data'))).toBe(false)
    expect(readdirSync(backups)).toEqual([])
  })

  it('says so in a sentence when something else keeps the database busy for too long', async () => {
    const file = join(place, 'data', 'rsvp.db')
    const holder = spawn(process.execPath, [lockScript, file, '60000', '60000'])
    await once(holder.stdout, 'data')
    const ended = runLikeCron()
    holder.kill('SIGKILL')
    await once(holder, 'close')
    expectRefused(ended, 1, /busy|[Tt]ry again/)
    expect(readdirSync(backups)).toEqual([])
    expect(runLikeCron()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('says so in a sentence when its account may not read the settings', () => {
    writeFileSync(join(place, '.env'), 'TZ=UTC\n')
    chmodSync(join(place, '.env'), 0o000)
    // For root permissions count only without these capabilities.
    const asAnother = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
    expectRefused(runLikeCron(asAnother), 78, /\.env/)
    expect(readdirSync(backups)).toEqual([])
  })
})

describe('the other lines', () => {
  const commandOf = (word: string) => new RegExp(`^ +(?:\\S+ ){5}(.*rsvp ${word}.*)$`, 'm').exec(topic)?.[1] ?? ''

  it('save a backup, and remove none of another name', () => {
    expect(runLikeCron([], commandOf('backup'))).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^rsvp-.+\.db$/)])
    rmSync(backups, { recursive: true })
    expectRefused(runLikeCron([], commandOf('backup')), 1, /^There is no folder .+backups, so nothing was saved\./)
  })

  it('mail why there is no sheet instead of an empty page', () => {
    const [sheet = '', mail] = commandOf('sheet').split(' | ')
    expect(mail).toMatch(/^mail -s/)
    expect(runLikeCron([], `${sheet} | cat`).stdout).toContain('Sabbath Worship Service')
    rmSync(join(place, 'data'), { recursive: true })
    expect(runLikeCron([], `${sheet} | cat`).stdout).toMatch(/^There is no database at .+\n$/)
  })

  it('tell once what is wrong, and again only when something else is', async () => {
    const port = await freePort()
    writeFileSync(join(place, '.env'), 'RSVP_ACCESS=no\n')
    const look = () => runLikeCron([], commandOf('doctor'))
    expect(look()).toMatchObject({ code: 1, stdout: expect.stringMatching(/^wrong\tSettings\t[^\n]+\n$/), stderr: '' })
    expect(look()).toEqual({ code: 1, stdout: '', stderr: '' })
    writeFileSync(join(place, '.env'), `PORT=${port}\n`)
    expect(look()).toMatchObject({ code: 1, stdout: expect.stringMatching(/^wrong\tAddress\t[^\n]+\n$/) })
    rmSync(join(place, 'data', 'rsvp.db'))
    expect(look()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^wrong\tDatabase\t[^\n]+\nwrong\tAddress\tNo site is running at \S+\n$/),
    })
    expect(look()).toEqual({ code: 1, stdout: '', stderr: '' })
  })
})
