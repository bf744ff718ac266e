import { beforeAll, describe, expect, it } from 'vitest'
import { inShell, obeyed, rsvp, rsvpInTerminal, testResponses } from '../fixtures.ts'

const { url } = testResponses(450)

beforeAll(async () => {
  await rsvp(url, ['roles', 'Parking', '--add'])
  await rsvp(url, ['delete', '7', '--yes'])
})

const lines = [
  'settings',
  'features calendarIntegration on',
  'roles',
  'schedule',
  'sessions',
  'audit',
  'list --deleted',
]

// Nothing here changes what another one reads, so that several commands may start at a time.
describe.concurrent('on a terminal', () => {
  it.each([...lines, 'list --plain', 'list --plain --status attending'])(
    'rsvp %s prints words in columns, no tab',
    async (line) => {
      const terminal = rsvpInTerminal(url, line.split(' '), { columns: 120, rows: 500 })
      expect(await terminal.ended).toBe(0)
      expect(terminal.isFullScreen()).toBe(false)
      expect(terminal.raw()).not.toContain('\t')
    },
  )

  it('aligns what belongs together', async () => {
    const terminal = rsvpInTerminal(url, ['settings'], { columns: 120 })
    await terminal.ended
    expect(terminal.screen()).toMatch(/^publicNames {7}initial {2}\S/m)
    expect(terminal.screen()).toMatch(/^retentionDays {5}off {6}\S/m)
  })

  it('prints the whole list with --plain, its titles once, with the number of each', async () => {
    const terminal = rsvpInTerminal(url, ['list', '--plain'], { rows: 500 })
    expect(await terminal.ended).toBe(0)
    const shown = terminal.screen().split('\n')
    expect(shown).toHaveLength(1 + 449)
    expect(shown[0]).toMatch(/^Id +Name +Status/)
    expect(shown.filter((row) => row.startsWith('Id '))).toHaveLength(1)
    expect(shown.at(-1)).toMatch(/^1 +Visitor 1 +/)
  })

  it.each([...lines, 'list', 'list --plain', 'show 1', 'stats', 'event', 'doctor'])(
    'that is dumb, rsvp %s draws no screen and obeys nothing',
    async (line) => {
      // No server listens at that port, which only doctor finds wrong.
      const terminal = rsvpInTerminal(url, line.split(' '), { env: { TERM: 'dumb', PORT: '1' }, rows: 500 })
      expect(await terminal.ended).toBe(line === 'doctor' ? 1 : 0)
      expect(terminal.raw().replaceAll(/\r?\n/g, '')).not.toMatch(obeyed)
    },
  )
})

describe.concurrent('in a pipe', () => {
  it.each(lines.filter((line) => !line.startsWith('sessions')))('rsvp %s separates its cells by tabs', async (line) => {
    expect((await rsvp(url, [...line.split(' '), '--quiet'])).stdout).toMatch(
      line.startsWith('features') ? /^$/ : /^[^\n]+\t/,
    )
  })

  it('rsvp list --plain is the same as without', async () => {
    expect(await rsvp(url, ['list', '--plain'])).toEqual(await rsvp(url, ['list']))
    expect((await inShell(url, 'rsvp list --plain | head -1')).stdout).toMatch(/^450\tVisitor 450\t/)
  })
})
