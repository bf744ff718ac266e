import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { colors, obeyed, rsvp, rsvpDrawn, rsvpInTerminal, rsvpProcessInTerminal, testResponses } from '../fixtures.ts'

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
    { words: ['delete'], NO_COLOR: '1', end: 'SIGHUP' },
  ] as const)(
    'has colors only where they are wanted, and no name is shown to ps: $words, NO_COLOR=$NO_COLOR',
    async (screen) => {
      const terminal = rsvpProcessInTerminal(url, [...screen.words], { env: { NO_COLOR: screen.NO_COLOR } })
      await terminal.shows('Visitor 30')
      const processes = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
      expect(processes).toMatch(new RegExp(`^ *${terminal.pid} .*rsvp`, 'm'))
      expect(processes).not.toContain('Visitor 30')
      expect(terminal.raw()).not.toContain('\u001b]')
      expect(colors.test(terminal.raw())).toBe(screen.NO_COLOR === '')
      send(terminal, screen.end)
      expect([await terminal.ended, terminal.isAsBefore()]).toEqual([ends[screen.end], true])
    },
  )
})
