import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Help } from '@commander-js/extra-typings'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { copyCommand } from '../../scripts/testing/copy-project.mjs'
import { makeDatabase, testFolder } from '../fixtures.ts'
import { topics } from '../program/help.ts'

const { folder } = testFolder()
const place = join(folder, 'site')
const data = join(place, 'data')
const backups = join(folder, 'backups')

/** The lines that `rsvp help cron` shows, and in them the folders of whoever follows it. */
const topic = topics.get('cron')?.(new Help()) ?? ''
const lineOf = (words: string) => new RegExp(`^ +((?:\\S+ ){5})(.*rsvp ${words}.*)$`, 'm').exec(topic) ?? []
const [, times, shown = ''] = lineOf('export --out /backups/')
const commandOf = (word: string) => lineOf(word)[2] ?? ''

/** Exactly such a command, the way cron runs it: next to nothing in the environment, no terminal, from `/`. */
function runLikeCron(command = shown, asAnother: string[] = []) {
  const call = command.replace(/\S+(?=\/cli\/rsvp )/, place).replace('/backups/', `${backups}/`)
  const surroundings = ['-i', 'SHELL=/bin/sh', 'PATH=/usr/bin:/bin', 'LOGNAME=clerk']
  const { status, stdout, stderr } = spawnSync('env', [...surroundings, ...asAnother, 'sh', '-c', call], {
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { code: status, stdout, stderr }
}

const silent = { code: 0, stdout: '', stderr: '' }

/** What cron mails is one sentence. */
function expectRefused({ code, stdout, stderr }: ReturnType<typeof runLikeCron>, expected: number, sentence: RegExp) {
  expect(stderr).toMatch(/^[^\n]+\n$/)
  expect(stderr).toMatch(sentence)
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
  expect(existsSync(backups) ? readdirSync(backups) : []).toEqual([])
}

beforeAll(() => copyCommand(place))
beforeEach(async () => {
  for (const path of [data, backups, join(place, '.env')]) rmSync(path, { recursive: true, force: true })
  mkdirSync(data, { mode: 0o700 })
  await makeDatabase(`file:${join(data, 'rsvp.db')}`)
  mkdirSync(backups, { mode: 0o700 })
})

describe('the line that rsvp help cron shows', () => {
  it('is a line of a crontab, without the percent signs that cron would take for line breaks', () => {
    expect(times).toBe('40 2 * * * ')
    expect(shown).not.toContain('%')
  })

  it('saves the responses for this account only, without a word, and on the same day again leaves them as they are', () => {
    expect(runLikeCron()).toEqual(silent)
    const [name = '', ...others] = readdirSync(backups)
    expect([name, others]).toEqual([expect.stringMatching(/^rsvps-\d{4}-\d{2}-\d{2}\.csv$/), []])
    expect(readFileSync(join(backups, name), 'utf8')).toMatch(/^\uFEFFId,Name,Email,.+\r\n$/)
    expect(statSync(join(backups, name)).mode & 0o777).toBe(0o600)
    writeFileSync(join(backups, name), 'of this morning')
    const { code, stderr } = runLikeCron()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^[^\n]+ exists already\. Add --force to replace it, or give another --out\.\n$/)
    expect(readdirSync(backups)).toEqual([name])
    expect(readFileSync(join(backups, name), 'utf8')).toBe('of this morning')
  })

  it('says in a sentence that the folder, the database or the right to read the settings is missing', () => {
    rmSync(backups, { recursive: true })
    expectRefused(runLikeCron(), 1, /^There is no such folder: create it first.+backups/)
    expectRefused(runLikeCron(commandOf('backup')), 1, /^There is no folder .+backups for backups: mount its disk/)
    mkdirSync(backups)
    writeFileSync(join(place, '.env'), 'TZ=UTC\n')
    chmodSync(join(place, '.env'), 0o000)
    // For root permissions count only without these capabilities.
    const asAnother = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
    expectRefused(runLikeCron(shown, asAnother), 78, /\.env/)
    rmSync(join(place, '.env'))
    rmSync(data, { recursive: true })
    expectRefused(runLikeCron(), 78, /^There is no database at /)
    expect(existsSync(data)).toBe(false)
  })
})

describe('the other lines', () => {
  it('save a backup', () => {
    expect(runLikeCron(commandOf('backup'))).toEqual(silent)
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^rsvp-.+\.db$/)])
  })

  it('mail why there is no sheet instead of an empty page', () => {
    const [sheet = '', mail] = commandOf('sheet').split(' | ')
    expect(mail).toMatch(/^mail -s/)
    expect(runLikeCron(`${sheet} | cat`).stdout).toContain('Sabbath Worship Service')
    rmSync(data, { recursive: true })
    expect(runLikeCron(`${sheet} | cat`).stdout).toMatch(/^There is no database at .+\n$/)
  })

  it('tell what is wrong', () => {
    writeFileSync(join(place, '.env'), 'RSVP_ACCESS=no\n')
    const found = runLikeCron(commandOf('doctor'))
    expect(found).toMatchObject({ code: 1, stdout: expect.stringMatching(/^wrong\tSettings\t[^\n]+\n$/), stderr: '' })
  })
})
