import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { UserError } from '#db/values/errors.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { harmful, hostile, obeyed, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpDrawn } from '../terminal-fixtures.ts'
import { writePrivateFile } from './export.ts'

const { url, folder } = testDatabase()
const header =
  '\ufeffId,Name,Email,Phone,Message,Status,Family Members,Volunteer Roles,Calendar,Date,Service,Changed,Counted\r\n'
const rows = [
  '3,Bao Nguyen,bao@nguyen.example,,,Attending,,,Google Calendar,2025-03-10T05:00:00.000Z,2025-03-15,,yes\r\n',
  `2,"${hostile}",eve@doe.example,,"${hostile}",Not Attending,,,,2025-03-09T06:00:00.000Z,2025-03-15,,yes\r\n`,
  `1,'=1+1,ana@cole.example,'+1 555,"'@one, ""two""\nthree",Attending,"'-Joel (child); Dina (not attending)","Usher; Music",,2025-03-09T05:59:59.999Z,2025-03-15,,yes\r\n`,
]
const whole = header + rows.join('')
const silent = { code: 0, stdout: '', stderr: '' }

beforeAll(async () => {
  const store = (now: string, fields: Record<string, unknown>) =>
    createRsvp(testRsvp(fields), testCall({ now: new Date(now) }))
  await store('2025-03-09T05:59:59.999Z', {
    name: '=1+1',
    phone: '+1 555',
    message: '@one, "two"\nthree',
    familyMembers: [
      { name: '-Joel', age: 'child' },
      { name: 'Dina', attending: false },
    ],
    volunteerRoles: [2, 3],
  })
  const eve = { name: hostile, email: 'eve@doe.example', message: hostile, attending: false }
  await store('2025-03-09T06:00:00.000Z', eve)
  await store('2025-03-10T05:00:00.000Z', { name: 'Bao Nguyen', email: 'bao@nguyen.example', calendarType: 'google' })
})

const emptyFolder = () => mkdtempSync(join(folder, 'place-'))
const exported = (...words: string[]) => rsvp(url, ['export', '--out', '-', ...words])

/** The text of the only file in a folder. */
function onlyFile(place: string): { name: string; text: string } {
  const [name = '', ...others] = readdirSync(place)
  expect(others).toEqual([])
  return { name, text: readFileSync(join(place, name), 'utf8') }
}

describe('rsvp export', () => {
  it('writes where --out says: to a file, into a folder or to standard output', async () => {
    const cwd = emptyFolder()
    mkdirSync(join(cwd, 'folder'))
    const umask = process.umask(0)
    for (const out of ['list.csv', '.', 'folder/']) {
      expect(await rsvp(url, ['export', '--out', out], { cwd })).toEqual(silent)
    }
    process.umask(umask)
    const today = expect.stringMatching(/^rsvps-\d{4}-\d\d-\d\d\.csv$/)
    expect(readdirSync(cwd).sort()).toEqual(['folder', 'list.csv', today])
    expect(onlyFile(join(cwd, 'folder'))).toEqual({ name: today, text: whole })
    expect(readFileSync(join(cwd, 'list.csv'), 'utf8')).toBe(whole)
    expect(statSync(join(cwd, 'list.csv')).mode & 0o777).toBe(0o600)
    expect(await exported()).toEqual({ ...silent, stdout: whole })
  })

  it('shows on a terminal what visitors typed instead of letting it be obeyed', async () => {
    const terminal = await rsvpDrawn(url, ['export', '--out', '-', '--status', 'not-attending'], { columns: 200 })
    expect(harmful.filter((each) => terminal.raw().includes(each))).toEqual([])
    expect(terminal.screen()).toContain('2,"Eve\\u001b]0;owned\\u0007\\u001b[5m\\u009b31m')
  })

  it('takes --status; leaves formulas live with --raw', async () => {
    expect((await exported('--status', 'attending')).stdout).toBe(`${header}${rows[0]}${rows[2]}`)
    const separated = await exported('--separator', 'semicolon')
    expect(separated.stdout.split('\r\n')[0]).toBe(header.trimEnd().replaceAll(',', ';'))
    expect((await exported('--raw')).stdout).toBe(whole.replace(/'(?=[=+@-])/g, ''))
  })

  it('writes JSON exactly as it is stored, without anything that a terminal would obey', async () => {
    const cwd = emptyFolder()
    expect((await rsvp(url, ['export', '--json'], { cwd })).code).toBe(0)
    const { name, text } = onlyFile(cwd)
    expect(name).toMatch(/^rsvps-\d{4}-\d\d-\d\d\.json$/)
    expect(JSON.parse(text)).toEqual(responsesOf(await listRsvps({}, testCall())))
    expect(text).not.toMatch(obeyed)
    expect((await exported('--json')).stdout).toBe(text)
  })

  it.each([
    [['--json', '--raw'], /--json/],
    [['--email', 'bao'], /^--email is not an email address\. Give one, e\.g\. ana@example\.org\.\n/],
  ])('refuses %j', async (words, sentence) => {
    const cwd = emptyFolder()
    const { code, stdout, stderr } = await rsvp(url, ['export', ...words], { cwd })
    expect([code, stdout, readdirSync(cwd)]).toEqual([2, '', []])
    expect(stderr).toMatch(sentence)
    expect(stderr).toMatch(/\nsee rsvp export --help\n$/)
  })

  it('does not overwrite the database with --force, not even through a hard link', async () => {
    const other = join(folder, 'other.csv')
    linkSync(url.slice('file:'.length), other)
    const stderr = expect.stringContaining(`${other} is the database itself: give another --out.\n`)
    expect(await rsvp(url, ['export', '--force', '--out', other])).toMatchObject({ code: 2, stdout: '', stderr })
    rmSync(other)
  })

  it('removes what an export left behind that was interrupted two days ago', async () => {
    const cwd = emptyFolder()
    const abandoned = join(cwd, `.a.csv.rsvp-${randomUUID()}.tmp`)
    await writeFile(abandoned, '')
    const twoDaysAgo = Date.now() / 1000 - 48 * 3600
    await utimes(abandoned, twoDaysAgo, twoDaysAgo)
    expect(await rsvp(url, ['export'], { cwd })).toEqual(silent)
    expect(existsSync(abandoned)).toBe(false)
  })

  it('exports with --email all that was sent with an address, the deleted ones included, and no other response', async () => {
    const ids: number[] = []
    for (const email of ['o.bea@roe.example', 'bea@roe.example', 'BEA@Roe.EXAMPLE']) {
      ids.push((await createRsvp(testRsvp({ email }), testCall())).id)
    }
    const [other = 0, deleted = 0, kept = 0] = ids
    await deleteRsvps({ ids: [deleted] }, testCall())
    const idsIn = (csv: string) => csv.match(/^\d+(?=,)/gm)?.map(Number)
    expect(idsIn((await exported('--email', 'bea@ROE.example')).stdout)).toEqual([kept, deleted])
    expect(idsIn((await exported('--search', 'roe')).stdout)).toEqual([kept, other])
    const out = join(folder, 'unknown.csv')
    const none = { code: 3, stdout: '', stderr: 'Nothing is stored under that address.\n' }
    expect(await rsvp(url, ['export', '--email', 'unknown@else.example', '--out', out])).toMatchObject(none)
    expect(existsSync(out)).toBe(false)
    await deleteRsvps({ ids: [other, kept] }, testCall())
  })
})

describe('the file of rsvp export --force', () => {
  async function folderWithOld() {
    const cwd = emptyFolder()
    const file = join(cwd, 'rsvps.csv')
    await writeFile(file, 'old', { mode: 0o666 })
    return { cwd, file }
  }

  it('replaces the old one only once it is complete, and is private from the start', async () => {
    const { cwd, file } = await folderWithOld()
    const seen: unknown[] = []
    async function* watching() {
      for (const piece of ['one', '', '김민수']) {
        yield piece
        const [unfinished = ''] = readdirSync(cwd).filter((name) => name !== 'rsvps.csv')
        seen.push([readFileSync(file, 'utf8'), unfinished[0], statSync(join(cwd, unfinished)).mode & 0o777])
      }
    }
    await writePrivateFile(file, watching(), true)
    expect(seen).toEqual(Array(3).fill(['old', '.', 0o600]))
    expect([onlyFile(cwd), statSync(file).mode & 0o777]).toEqual([{ name: 'rsvps.csv', text: 'one김민수' }, 0o600])
  })

  it('is still the old one, alone, when the export fails halfway', async () => {
    const { cwd, file } = await folderWithOld()
    const failure = new UserError('unavailable', 'The database cannot be reached.')
    async function* failing() {
      yield 'half'
      throw failure
    }
    await expect(writePrivateFile(file, failing(), true)).rejects.toBe(failure)
    expect(onlyFile(cwd)).toEqual({ name: 'rsvps.csv', text: 'old' })
  })

  // A pipe stands for devices: if /dev/null were not refused, a test run by root would replace it for all programs.
  it.each([
    ['pipe', 'is not a regular file: use --out - and a redirection.'],
    ['', 'That is a folder: give the name of a file in it with --out.'],
    ['missing/rsvps.csv', 'There is no such folder: create it first, or give another --out.'],
    ['rsvps.csv/rsvps.csv', 'A part of that path is a file, not a folder: give another --out.'],
  ])('is refused as %j', async (name, sentence) => {
    const { cwd } = await folderWithOld()
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    async function* pieces() {
      yield 'new'
    }
    const error = { exitCode: 1, message: expect.stringContaining(sentence) }
    await expect(writePrivateFile(join(cwd, name), pieces(), true)).rejects.toMatchObject(error)
    expect(readdirSync(cwd)).toEqual(['pipe', 'rsvps.csv'])
  })
})
