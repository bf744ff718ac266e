import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { ownClock } from '#testing/faketime.mjs'
import { obeyed, testResponses } from '../fixtures.ts'
import { openScreen, rsvpInTerminal } from '../terminal-fixtures.ts'

const { url } = testResponses(30)

it.each(['features', 'list'])(
  'on a dumb terminal rsvp %s draws no screen and prints no control characters',
  async (line) => {
    const terminal = rsvpInTerminal(url, [line], { env: { TERM: 'dumb' }, rows: 500 })
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw().replaceAll(/\r?\n/g, '')).not.toMatch(obeyed)
  },
)

describe('a screen', () => {
  const ends = { 'Ctrl+C': 130, SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

  it.each(Object.entries(ends))('ends with %s, and restores the terminal', async (signal, code) => {
    const terminal = rsvpInTerminal(url, ['list'])
    await terminal.shows('Visitor 30')
    expect(terminal.isFullScreen()).toBe(true)
    if (signal === 'Ctrl+C') terminal.press('\u0003')
    else terminal.kill(signal)
    expect([await terminal.ended, terminal.isAsBefore()]).toEqual([code, true])
  })

  it.each(['', '1'])('has colors on a real terminal unless NO_COLOR is set: %j', async (NO_COLOR) => {
    const screen = openScreen(80, 24)
    const env = { ...ownClock(), DATABASE_URL: url, TERM: 'xterm-256color', TZ: 'UTC', NO_COLOR }
    const terminal = spawn(join(projectRoot, 'cli', 'rsvp'), ['list'], { cols: 80, rows: 24, cwd: '/', env })
    const ended = new Promise((resolve) => terminal.onExit(resolve))
    terminal.onData(screen.write)
    await screen.shows('Visitor 30')
    expect(screen.raw()).not.toContain('\u001b]')
    expect(/\p{Cc}\[[\d;]*m/u.test(screen.raw())).toBe(NO_COLOR === '')
    terminal.write('\u0003')
    expect(await ended).toMatchObject({ exitCode: 130 })
    await screen.drawn()
    expect(screen.isAsBefore()).toBe(true)
  })
})
