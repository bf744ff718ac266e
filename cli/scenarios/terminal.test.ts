import { describe, expect, it } from 'vitest'
import { colors, obeyed, rsvpInTerminal, rsvpProcessInTerminal, testResponses } from '../fixtures.ts'

const { url } = testResponses(30)

it.each(['features', 'list'])('on a terminal that is dumb, rsvp %s draws no screen and obeys nothing', async (line) => {
  const terminal = rsvpInTerminal(url, [line], { env: { TERM: 'dumb' }, rows: 500 })
  expect(await terminal.ended).toBe(0)
  expect(terminal.raw().replaceAll(/\r?\n/g, '')).not.toMatch(obeyed)
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

  it.each(['', '1'])('has colors only where they are wanted: NO_COLOR=%s', async (NO_COLOR) => {
    const terminal = rsvpProcessInTerminal(url, ['list'], { env: { NO_COLOR } })
    await terminal.shows('Visitor 30')
    expect(terminal.raw()).not.toContain('\u001b]')
    expect(colors.test(terminal.raw())).toBe(NO_COLOR === '')
    terminal.press('\u0003')
    expect([await terminal.ended, terminal.isAsBefore()]).toEqual([130, true])
  })
})
