import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { listRsvps } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import {
  hostile,
  inShell,
  inShellWithMount,
  obeyed,
  rsvp,
  rsvpInTerminal,
  rsvpProcess,
  testDatabase,
  testResponses,
} from '../fixtures.ts'

const MANY = 10_000
const { url, folder } = testDatabase()
const many = testResponses(MANY)
/** So many that an export takes long enough for a bar. */
const tooMany = testResponses(100_000)
const header =
  '\ufeffId,Name,Email,Phone,Message,Status,Family Members,Volunteer Roles,Calendar,Date,Service,Changed\r\n'
const rows = [
  '3,Bao Nguyen,bao@nguyen.example,,,Attending,,,Google Calendar,2025-03-10T05:00:00.000Z,2025-03-15,\r\n',
  `2,"${hostile}",eve@doe.example,,"${hostile}",Not Attending,,,,2025-03-09T06:00:00.000Z,2025-03-15,\r\n`,
  `1,'=1+1,ana@cole.example,'+1 555,"'@one, ""two""\nthree",Attending,"'-Joel (child); Dina (not attending)","Usher; Music",,2025-03-09T05:59:59.999Z,2025-03-15,\r\n`,
]

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

const silent = { code: 0, signal: null, stdout: '', stderr: '' }

function emptyFolder(): string {
  return mkdtempSync(join(folder, 'place-'))
}

function dayIn(zone: string, moment = Date.now()): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(moment)
}

/** The text of the only file in a folder. */
function onlyFile(place: string): { name: string; text: string } {
  const [name = '', ...others] = readdirSync(place)
  expect(others).toEqual([])
  return { name, text: readFileSync(join(place, name), 'utf8') }
}

/** Every one of many responses, newest first. */
function isWhole(text: string): boolean {
  const ids = text.match(/^\d+(?=,)/gm) ?? []
  return text.startsWith(header) && text.endsWith('\r\n') && ids.length === MANY && ids.at(-1) === '1'
}

describe('rsvp export', () => {
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('names the file after the day in %s', async (zone) => {
    const cwd = emptyFolder()
    const before = dayIn(zone)
    expect(await rsvp(url, ['export'], { cwd, env: { TZ: zone } })).toEqual(silent)
    const { name, text } = onlyFile(cwd)
    expect([before, dayIn(zone)].map((day) => `rsvps-${day}.csv`)).toContain(name)
    expect(text).toBe(header + rows.join(''))
  })

  it('writes where --out says: to a file, or into a folder', async () => {
    const cwd = emptyFolder()
    mkdirSync(join(cwd, 'folder'))
    for (const out of ['list.csv', join(cwd, 'other.csv'), '.', 'folder/']) {
      expect(await rsvp(url, ['export', '--out', out], { cwd })).toEqual(silent)
    }
    const today = expect.stringMatching(/^rsvps-\d{4}-\d\d-\d\d\.csv$/)
    expect(readdirSync(cwd).sort()).toEqual(['folder', 'list.csv', 'other.csv', today])
    expect(onlyFile(join(cwd, 'folder'))).toEqual({ name: today, text: header + rows.join('') })
    for (const name of ['list.csv', 'other.csv'])
      expect(readFileSync(join(cwd, name), 'utf8')).toBe(header + rows.join(''))
  })

  it.each([
    ['--search', 'Cole'],
    ['--status', 'attending'],
    ['--since', '2020-01-01'],
    ['--deleted'],
    ['--email', 'ana@cole.example', '--json'],
  ])('calls what is not the whole list a selection, beside the whole one: %s %s', async (...words) => {
    const cwd = emptyFolder()
    expect(await rsvp(url, ['export', '--out', './', ...words], { cwd })).toEqual(silent)
    expect(await rsvp(url, ['export', '--out', '.'], { cwd })).toEqual(silent)
    expect(readdirSync(cwd).sort()).toEqual([
      expect.stringMatching(/^rsvps-\d{4}-\d\d-\d\d-selection\.(csv|json)$/),
      expect.stringMatching(/^rsvps-\d{4}-\d\d-\d\d\.csv$/),
    ])
  })

  it('writes to standard output with --out -, and no file', async () => {
    const cwd = emptyFolder()
    expect(await rsvp(url, ['export', '--out', '-'], { cwd })).toEqual({ ...silent, stdout: header + rows.join('') })
    expect(readdirSync(cwd)).toEqual([])
  })

  it('shows on a terminal what visitors typed instead of letting it be obeyed, and says so', async () => {
    const terminal = rsvpInTerminal(url, ['export', '--out', '-', '--status', 'not-attending'], { columns: 200 })
    expect(await terminal.ended).toBe(0)
    for (const harmful of ['\u001b]0;', '\u0007', '\u001b[5m', '\u009b', '\u2028', '\u202e', '\u2066']) {
      expect(terminal.raw()).not.toContain(harmful)
    }
    expect(terminal.screen()).toContain('2,"Eve\\u001b]0;owned\\u0007\\u001b[5m\\u009b31m')
    expect(terminal.screen()).toContain('Control characters are shown as \\u001b here.')
    const plain = rsvpInTerminal(url, ['export', '--out', '-', '--status', 'attending'], { columns: 200 })
    expect(await plain.ended).toBe(0)
    expect(plain.screen()).not.toContain('Control characters')
  })

  it.each([
    { words: ['--status', 'attending'], expected: [rows[0], rows[2]] },
    { words: ['--status', 'not-attending'], expected: [rows[1]] },
    { words: ['--since', '2025-03-09'], expected: [rows[0], rows[1]] },
    { words: ['--since', '2025-03-10', '--status', 'attending'], expected: [rows[0]] },
    { words: ['--since', '2025-03-11'], expected: [] },
  ])('takes $words', async ({ words, expected }) => {
    const { code, stdout } = await rsvp(url, ['export', '--out', '-', ...words], { env: { TZ: 'America/Chicago' } })
    expect([code, stdout]).toEqual([0, header + expected.join('')])
  })

  it('leaves formulas live with --raw', async () => {
    const { stdout } = await rsvp(url, ['export', '--out', '-', '--raw'])
    expect(stdout).toBe(header + rows.join('').replace(/'(?=[=+@-])/g, ''))
  })

  it('writes JSON exactly as it is stored, without anything that a terminal would obey', async () => {
    const cwd = emptyFolder()
    expect((await rsvp(url, ['export', '--json'], { cwd })).code).toBe(0)
    const { name, text } = onlyFile(cwd)
    expect(name).toMatch(/^rsvps-\d{4}-\d\d-\d\d\.json$/)
    expect(JSON.parse(text)).toEqual(JSON.parse(String((await listRsvps({}, testCall())).json)))
    expect(text).not.toMatch(obeyed)
    expect((await rsvp(url, ['export', '--json', '--out', '-'])).stdout).toBe(text)
    expect((await rsvp(url, ['export', '--json', '--out', '-', '--since', '2090-01-01'])).stdout).toBe('[]\n')
  })

  it('writes byte for byte what the site gives to download', async () => {
    const site = await startBuiltServer({ DATABASE_URL: url })
    const cwd = emptyFolder()
    for (const [query, words] of [
      ['', []],
      ['?status=attending', ['--status', 'attending']],
    ] as const) {
      const downloaded = Buffer.from(await (await fetch(`${site.url}/api/rsvps/download${query}`)).arrayBuffer())
      await rsvp(url, ['export', '--out', 'all.csv', '--force', ...words], { cwd })
      expect(readFileSync(join(cwd, 'all.csv')).equals(downloaded)).toBe(true)
    }
    await site.stop()
  })

  const wrong = ['--json --raw', '--raw --json', '--since 2025-02-30', '--status maybe', '--out', 'list.csv']

  it.concurrent.each(wrong)('refuses %s', async (line) => {
    const cwd = emptyFolder()
    const { code, stdout, stderr } = await rsvp(url, ['export', ...line.split(' ')], { cwd })
    expect([code, stdout, readdirSync(cwd)]).toEqual([2, '', []])
    expect(stderr).toContain(line.split(' ')[0])
  })

  it('says on a terminal what it wrote, nothing with --quiet', async () => {
    const cwd = emptyFolder()
    const terminal = rsvpInTerminal(url, ['export', '--out', 'a.csv'], { cwd, columns: 200 })
    expect([await terminal.ended, terminal.screen()]).toEqual([0, `Wrote 3 responses to ${join(cwd, 'a.csv')}`])
    const words = ['export', '--out', 'b.csv', '--status', 'not-attending']
    const one = rsvpInTerminal(url, words, { cwd, columns: 200 })
    expect([await one.ended, one.screen()]).toEqual([0, `Wrote 1 response to ${join(cwd, 'b.csv')}`])
    const quiet = rsvpInTerminal(url, ['export', '--out', 'c.csv', '--quiet'], { cwd })
    expect([await quiet.ended, quiet.raw()]).toEqual([0, ''])
    expect(readdirSync(cwd).sort()).toEqual(['a.csv', 'b.csv', 'c.csv'])
  })

  it('shows on a terminal how far it is, and takes that away again', async () => {
    const cwd = emptyFolder()
    const exportTo = (name: string) => rsvpInTerminal(tooMany.url, ['export', '--out', name], { cwd, columns: 200 })
    // It may be at its end before the bar is loaded, so the bar is looked for in the second one.
    await exportTo('a.csv').ended
    globalThis.rsvpTestOverrides.PROGRESS_DELAY_MS = 0
    const terminal = exportTo('b.csv')
    await terminal.shows(/^Exporting [\d,]+ of 100,000 /)
    expect([await terminal.ended, terminal.screen()]).toEqual([0, `Wrote 100000 responses to ${join(cwd, 'b.csv')}`])
  })
})

describe('the file of an export', () => {
  it('is for this account only, whatever the umask and the file before it allow', async () => {
    const cwd = emptyFolder()
    expect(await inShell(url, 'umask 000; exec rsvp export --out new.csv', { cwd })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(statSync(join(cwd, 'new.csv')).mode & 0o777).toBe(0o600)
    chmodSync(join(cwd, 'new.csv'), 0o666)
    expect((await inShell(url, 'umask 000; exec rsvp export --out new.csv --force', { cwd })).code).toBe(0)
    expect(statSync(join(cwd, 'new.csv')).mode & 0o777).toBe(0o600)
  })

  it('does not take the place of another one without --force', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'old.csv'), 'mine')
    symlinkSync('old.csv', join(cwd, 'link.csv'))
    for (const name of ['old.csv', 'link.csv']) {
      const { code, stdout, stderr } = await rsvp(url, ['export', '--out', name], { cwd })
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^\/.*old\.csv exists already\. Add --force .*\.\n$/)
      expect(readFileSync(join(cwd, 'old.csv'), 'utf8')).toBe('mine')
    }
    expect((await rsvp(url, ['export', '--out', 'link.csv', '--force'], { cwd })).code).toBe(0)
    expect(readFileSync(join(cwd, 'old.csv'), 'utf8')).toBe(header + rows.join(''))
    expect(lstatSync(join(cwd, 'link.csv')).isSymbolicLink()).toBe(true)
    expect(readdirSync(cwd)).toHaveLength(2)
  })

  it.each([
    { out: 'missing/', says: 'There is no such folder' },
    { out: 'missing/a.csv', says: 'There is no such folder' },
    { out: 'folder', says: 'That is a folder' },
    { out: 'file/a.csv', says: 'A part of that path is a file' },
    { out: 'pipe', says: 'is no ordinary file' },
    { out: '/proc/a.csv', says: 'Tried: /proc/a.csv' },
  ])('cannot be $out: one sentence, and nothing is made or changed', async ({ out, says }) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'file'), 'mine')
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    for (const day of [dayIn('UTC'), dayIn('UTC', Date.now() + 24 * 60 * 60 * 1000)]) {
      mkdirSync(join(cwd, 'folder', `rsvps-${day}.csv`), { recursive: true })
    }
    const before = readdirSync(cwd, { recursive: true })
    const { code, stdout, stderr } = await rsvp(url, ['export', '--out', out, '--force'], { cwd, env: { TZ: 'UTC' } })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(says)
    expect(readdirSync(cwd, { recursive: true })).toEqual(before)
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('mine')
  })

  it('is not there when the disk is full, and the old one stays', async () => {
    const cwd = emptyFolder()
    const line = 'printf mine > a.csv && rsvp export --out a.csv --force; code=$?; ls -A; cat a.csv; exit $code'
    const full = await inShellWithMount(many.url, 'mount -t tmpfs -o size=64k none . && cd "$PWD"', line, { cwd })
    const stderr = `The disk is full: make room, then run it again. Tried: ${join(cwd, 'a.csv')}\n`
    // Where nothing may be mounted there is no full disk to be had.
    if (full !== undefined) expect(full).toEqual({ code: 1, signal: null, stdout: 'a.csv\nmine', stderr })
  })

  it('is whole when several exports run at once: one takes the name, with --force each', async () => {
    const cwd = emptyFolder()
    const three = (...words: string[]) =>
      Promise.all([1, 2, 3].map(() => rsvpProcess(many.url, ['export', '--out', 'a.csv', ...words], { cwd })))
    const said = (await three()).map(({ code, stderr }) => `${code} ${stderr}`).sort()
    expect(said).toEqual(['0 ', ...new Array(2).fill(expect.stringMatching(/^1 .*a\.csv exists already\. [^\n]+\n$/))])
    expect(isWhole(onlyFile(cwd).text)).toBe(true)
    const others = rsvpProcess(many.url, ['export', '--out', 'b.csv'], { cwd })
    for (const { code, stderr } of await three('--force')) expect([code, stderr]).toEqual([0, ''])
    expect((await others).code).toBe(0)
    expect(readdirSync(cwd)).toEqual(['a.csv', 'b.csv'])
    for (const name of readdirSync(cwd)) expect(isWhole(readFileSync(join(cwd, name), 'utf8'))).toBe(true)
  })
})
