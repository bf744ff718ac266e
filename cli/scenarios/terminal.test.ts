import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  colors,
  inDatabase,
  makeDatabase,
  obeyed,
  rsvp,
  rsvpDrawn,
  rsvpInTerminal,
  rsvpProcessInTerminal,
  testFolder,
  testResponses,
} from '../fixtures.ts'

const { url } = testResponses(30)

beforeAll(() => rsvp(url, ['delete', '7', '--yes']))

it.each(['stats', 'list --plain'])('on a terminal rsvp %s prints words in columns, no tab', async (line) => {
  const terminal = await rsvpDrawn(url, line.split(' '), { columns: 120, rows: 500 })
  expect(terminal.isFullScreen()).toBe(false)
  expect(terminal.raw()).not.toContain('\t')
})

it.each(['features', 'list'])('on a terminal that is dumb, rsvp %s draws no screen and obeys nothing', async (line) => {
  const terminal = rsvpInTerminal(url, [line], { env: { TERM: 'dumb' }, rows: 500 })
  expect(await terminal.ended).toBe(0)
  expect(terminal.raw().replaceAll(/\r?\n/g, '')).not.toMatch(obeyed)
})

it.each([
  ['list', /^RSVP Responses( .*)?\n\n/],
  ['features', /Features Settings( .*)?\n›/],
])('in 40 columns rsvp %s begins with its title on one line, and leaves what was above', async (line, title) => {
  const terminal = rsvpInTerminal(url, [line], { columns: 40, rows: 15, above: `$ \r\n$ rsvp ${line}\r\n` })
  expect(await terminal.shows('q quit')).toMatch(title)
  terminal.press('q')
  expect(await terminal.ended).toBe(0)
  expect(terminal.screen()).toMatch(/^\$ \n\$ rsvp/)
})

describe('every screen', () => {
  const ends = { 'Ctrl+C': 130, SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
  const send = (terminal: ReturnType<typeof rsvpInTerminal>, signal: string) =>
    signal === 'Ctrl+C' ? terminal.press('\u0003') : terminal.kill(signal)

  it('ends with a signal, and restores the terminal', async () => {
    for (const [signal, code] of Object.entries(ends)) {
      const terminal = rsvpInTerminal(url, ['list'])
      await terminal.shows('Visitor 30')
      expect(terminal.isFullScreen()).toBe(true)
      send(terminal, signal)
      expect([signal, await terminal.ended, terminal.isAsBefore()]).toEqual([signal, code, true])
    }
  })

  it.each([
    { words: ['list'], NO_COLOR: '', end: 'Ctrl+C' },
    { words: ['delete', '--no-color'], NO_COLOR: '', end: 'SIGHUP' },
  ] as const)(
    'has colors only where they are wanted, and no name is shown to ps: $words, NO_COLOR=$NO_COLOR',
    async (screen) => {
      const terminal = rsvpProcessInTerminal(url, [...screen.words], { env: { NO_COLOR: screen.NO_COLOR } })
      await terminal.shows('Visitor 30')
      const processes = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
      expect(processes).toMatch(new RegExp(`^ *${terminal.pid} .*rsvp`, 'm'))
      expect(processes).not.toContain('Visitor 30')
      expect(terminal.raw()).not.toContain('\u001b]')
      expect(colors.test(terminal.raw())).toBe(screen.words.length === 1 && screen.NO_COLOR === '')
      send(terminal, screen.end)
      expect([await terminal.ended, terminal.isAsBefore()]).toEqual([ends[screen.end], true])
    },
  )
})

describe('keys that were typed before a question was to be seen', () => {
  const { folder, url } = testFolder()
  const backup = join(folder, 'backup.db')
  /** Set, so that a developer's own .env does not reach into these tests. */
  const env = { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '' }
  const password = 'three quiet otters'
  const digest = () =>
    createHash('sha256')
      .update(readFileSync(url.slice('file:'.length)))
      .digest('hex')

  beforeAll(async () => {
    await makeDatabase(url)
    await rsvp(url, ['add', '--samples', '1'])
    inDatabase(url, (database) => {
      const insert = database.prepare(
        "INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at, service_date, public_name) VALUES (?, 'Ana Cole', 'ana@cole.example', 1, 0, ?, '2025-01-11', 'Ana C.')",
      )
      for (const key of ['two', 'three']) insert.run(key, new Date(Date.now() - 1e10).toISOString())
      database.exec(`VACUUM INTO '${backup}'`)
    })
  })

  // The list of every command that asks, or that has a screen: a new one belongs here.
  it.each<[line: string, ahead: string, ready: RegExp, list?: RegExp]>([
    ['delete 2', 'y', /\(Ana Cole\) +y\/N/],
    // Before a list is read there is nothing in it to delete.
    ['delete', 'd\ry', /\(.+\)\ny\/N/, /^1 of 3$/m],
    ['list', 'adu3\r\u0015y', /Type 3, then enter: █/, /^1 of 3$/m],
    ['delete --erase ana@cole.example', '2\r', /Type 2, then enter: █/],
    [`backup restore ${backup}`, 'y', /Restore them\? +y\/N/],
    ['delete --samples', 'y', /for good\? +y\/N/],
    ['features', ' j\r ', /q quit/],
    ['password', `${password}\r${password}\r`, /New password,.+:/],
  ])('decide nothing in rsvp %s', async (line, ahead, ready, list) => {
    const before = digest()
    const terminal = rsvpInTerminal(url, line.split(' '), { env })
    if (list !== undefined) await terminal.shows(list)
    terminal.press(ahead)
    await terminal.shows(ready)
    terminal.press('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(digest()).toBe(before)
  })

  it('are text where they are pasted, with its enter; only the first of keys that arrive together counts', async () => {
    const before = digest()
    const several = rsvpInTerminal(url, ['delete', '2', '3'])
    await several.shows(/Type \d, then enter: █/)
    several.press('\u001b[200~y 2\r\u001b[201~')
    await several.shows(/Type \d, then enter: y 2█/)
    several.press('\u0003')
    expect(await several.ended).toBe(130)
    const one = rsvpInTerminal(url, ['delete', '2'])
    await one.shows('y/N')
    one.press('\u001b[200~y\u001b[201~')
    one.press('\u001by')
    one.press('ny')
    expect(await one.ended).toBe(1)
    expect(digest()).toBe(before)
  })
})
