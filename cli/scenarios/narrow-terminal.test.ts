import { beforeAll, describe, expect, it } from 'vitest'
import { inDatabase, rsvp, rsvpInTerminal, testResponses } from '../fixtures.ts'

const { url } = testResponses(30)
const narrow = { columns: 40, rows: 15 }
/** No server listens there. */
const env = { PORT: '1' }

beforeAll(async () => {
  await rsvp(url, ['roles', 'Parking', '--add'])
  inDatabase(url, (database) =>
    database.exec('INSERT INTO volunteer_signups (rsvp_id, role_id) VALUES (1, 2), (3, 2), (5, 2), (1, 1)'),
  )
})

describe('in 40 columns', () => {
  it.each(['list', 'delete', 'features'])('rsvp %s begins at the top with its title on one line', async (line) => {
    const terminal = rsvpInTerminal(url, [line], { ...narrow, above: `${'$ \r\n'.repeat(3)}$ rsvp ${line}\r\n` })
    const screen = await terminal.shows('q quit')
    // The switches are drawn below what was typed, the others have the whole screen.
    expect(line === 'features' ? screen.slice(screen.indexOf('Features')) : screen).toMatch(
      /^(RSVP Responses|Choose what to delete|Features Settings)( .*)?\n(\n|›)/,
    )
    terminal.press('q')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/^(\$ \n){3}\$ rsvp/)
  })

  it('rsvp doctor keeps what it found in one column', async () => {
    const terminal = rsvpInTerminal(url, ['doctor'], { ...narrow, rows: 60, env })
    await terminal.ended
    const found = terminal.screen().match(/^[✓✗!] \w+ .*$/gmu) ?? []
    expect(found.length).toBeGreaterThan(8)
    expect(found.filter((row) => !/^.{16} \S/u.test(row))).toEqual([])
  })

  it('rsvp audit says when and what', async () => {
    const terminal = rsvpInTerminal(url, ['audit'], narrow)
    await terminal.ended
    expect(terminal.screen()).toMatch(/^When +What\n.+ [AP]M +role added$/m)
  })

  it('rsvp stats draws its bars in proportion', async () => {
    const terminal = rsvpInTerminal(url, ['stats'], { ...narrow, rows: 60 })
    await terminal.ended
    const bar = (label: string) => terminal.screen().match(new RegExp(`^${label} .* (\\d+) (█+)$`, 'm'))?.[2]?.length
    expect([bar('Greeter'), bar('Usher')]).toEqual([3, 9])
  })
})
