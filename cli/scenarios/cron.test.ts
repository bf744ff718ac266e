import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { copyCommand } from '../../scripts/testing/copy-project.mjs'
import { makeDatabase, testFolder } from '../fixtures.ts'
import { topics } from '../help.ts'

const { folder } = testFolder()
const place = join(folder, 'site')
const data = join(place, 'data')
const backups = join(folder, 'backups')

const topic = topics.get('cron') ?? ''
const shown = Array.from(topic.matchAll(/^ {2}(?:[\d*]+ ){5}(\/srv\/rsvp\/cli\/rsvp (\w+) .+)$/gm))
const commands = new Map(shown.map(([, command = '', name = '']) => [name, command]))
const names = ['backup', 'export', 'sheet', 'doctor']
const silent = { code: 0, stdout: '', stderr: '' }

/** Runs a line of `rsvp help cron` as cron does, with the folders of this test. Mail goes to standard output instead. */
function runLikeCron(name: string, asAnother: string[] = []) {
  const command = (commands.get(name) ?? '').replace('/srv/rsvp', place).replaceAll('/backups/', `${backups}/`)
  const words = ['-i', ...asAnother, '/bin/sh', '-c', command.replace(/mail -s .+$/, '/bin/cat')]
  const { status: code, stdout, stderr } = spawnSync('env', words, { cwd: '/', encoding: 'utf8', input: '' })
  return { code, stdout, stderr }
}

beforeAll(() => copyCommand(place))
beforeEach(async () => {
  for (const path of [data, backups, join(place, '.env')]) rmSync(path, { recursive: true, force: true })
  mkdirSync(data, { mode: 0o700 })
  await makeDatabase(`file:${join(data, 'rsvp.db')}`)
  mkdirSync(backups, { mode: 0o700 })
})

describe('the lines that rsvp help cron shows', () => {
  it('are lines of a crontab, without the percent signs that cron would take for line breaks', () => {
    expect(Array.from(commands.keys())).toEqual(names)
    expect(topic).not.toContain('%')
  })

  it('save a backup and the list for this account only, without a word, and no list over that of the same day', () => {
    expect([runLikeCron('backup'), runLikeCron('export')]).toEqual([silent, silent])
    const files = readdirSync(backups).sort()
    expect(files).toEqual([
      expect.stringMatching(/^rsvp-.+\.db$/),
      expect.stringMatching(/^rsvps-\d{4}-\d{2}-\d{2}\.csv$/),
    ])
    expect(files.map((name) => statSync(join(backups, name)).mode & 0o777)).toEqual([0o600, 0o600])
    const list = join(backups, files[1] ?? '')
    expect(readFileSync(list, 'utf8')).toMatch(/^\uFEFFId,Name,Email,.+\r\n$/)
    writeFileSync(list, 'of this morning')
    const sentence = expect.stringMatching(/^[^\n]+ exists already\. Add --force to replace it, .+\n$/)
    expect(runLikeCron('export')).toEqual({ code: 1, stdout: '', stderr: sentence })
    expect(readFileSync(list, 'utf8')).toBe('of this morning')
  })

  it('mail the sheet, and what is wrong', () => {
    expect(runLikeCron('sheet')).toMatchObject({ code: 0, stdout: expect.stringContaining('Sabbath Worship Service') })
    writeFileSync(join(place, '.env'), 'RSVP_ACCESS=no\n')
    const stdout = expect.stringMatching(/^wrong\tSettings\t[^\n]+\n$/)
    expect(runLikeCron('doctor')).toEqual({ code: 1, stdout, stderr: '' })
  })

  it.each(['backup', 'export', 'sheet'])('say in a sentence why there is no %s', (name) => {
    /** What the line prints, which cron mails. */
    function mailed(asAnother?: string[]): string {
      const { stdout, stderr } = runLikeCron(name, asAnother)
      return stdout + stderr
    }
    rmSync(backups, { recursive: true })
    if (name !== 'sheet') expect(mailed()).toMatch(/^There is no (such )?folder[^\n]+backups[^\n]*\n$/)
    mkdirSync(backups)
    writeFileSync(join(place, '.env'), 'TZ=UTC\n')
    chmodSync(join(place, '.env'), 0o000)
    // With these capabilities root could read the file all the same.
    const limits = ['setpriv', '--bounding-set=-dac_override,-dac_read_search']
    expect(mailed(process.getuid?.() === 0 ? limits : [])).toMatch(/^[^\n]*\.env[^\n]*\n$/)
    rmSync(join(place, '.env'))
    rmSync(data, { recursive: true })
    expect(mailed()).toMatch(/^There is no database at [^\n]+\n$/)
    expect(readdirSync(place)).not.toContain('data')
    expect(readdirSync(backups)).toEqual([])
  })
})
