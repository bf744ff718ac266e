import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inDatabase, rsvpInTerminal, rsvpProcessInTerminal, shellInTerminal, testResponses } from '../fixtures.ts'

const { url } = testResponses(30)

/** After a longer pause a key may count as input to a question, in ms: well below what the program waits for. */
const PAUSE_IN_A_WORD = 300
const PASTE = ['\u001b[200~', '\u001b[201~'] as const
const countLeft = () =>
  inDatabase(url, (database) => database.prepare('SELECT count(*) AS count FROM rsvps WHERE deleted_at IS NULL').get())
const all = { count: 30 }

async function open(surroundings: Parameters<typeof rsvpInTerminal>[2] = {}) {
  const terminal = rsvpInTerminal(url, ['list'], surroundings)
  await terminal.shows(/^› .*Visitor 30/m)
  return terminal
}

/** Types as a fast typist does; returns whether the pace could be kept up. */
async function type(terminal: Awaited<ReturnType<typeof open>>, text: string): Promise<boolean> {
  for (const letter of text) {
    terminal.press(letter)
    const pressed = performance.now()
    await delay(40)
    if (performance.now() - pressed > PAUSE_IN_A_WORD) return false
  }
  return true
}

describe('the keys of rsvp list', () => {
  it.each(['Sandy', 'day', 'Brady\r', 'a d y y y\r'])('delete no response while %j is typed', async (name) => {
    let terminal = await open()
    // On a busy machine this process may have typed too slowly: then once more.
    while (!(await type(terminal, name))) {
      terminal.kill()
      terminal = await open()
    }
    await terminal.shows('Are you sure')
    await terminal.shows(/Type \d+, then enter: █|y\/N/)
    terminal.press('\u001b')
    await terminal.shows(/^\d+ of 30/m)
    expect(countLeft()).toEqual(all)
  })

  it('delete no response either where all of it arrives at once', async () => {
    const terminal = await open()
    terminal.press('Sandy')
    await terminal.shows('Type 30, then enter: █')
    terminal.press('Sandy\r')
    await terminal.shows('Not that. Type 30:')
    expect(countLeft()).toEqual(all)
  })

  it('are no letters with Ctrl or Alt, and a line feed is no enter', async () => {
    const terminal = await open()
    for (const key of ['\u0001', '\u0004', '\u0013', '\u0011', '\u001ba', '\u001bd', '\n', '\u001b[100;5u'])
      terminal.press(key)
    terminal.press('j')
    expect(await terminal.shows(/^2 of 30$/m)).toContain('by newest')
  })

  it('are not pressed by what is pasted: that is searched for', async () => {
    const terminal = await open()
    terminal.press(`${PASTE[0]}ad y\n 17 \u0003q${PASTE[1]}`)
    await terminal.shows('Search: ad y  17  q█')
    terminal.press('\u0015')
    terminal.press(`${PASTE[0]}visitor 17\r\n${PASTE[1]}`)
    await terminal.shows('Search: visitor 17█')
    terminal.press('\r')
    await terminal.shows(/^1 of 1, searching for: visitor 17$/m)
    terminal.press('\u001b')
    await terminal.shows(/^1 of 30$/m)
  })

  it('delete after the number, and u brings all of them back', async () => {
    const terminal = await open()
    terminal.press('/')
    terminal.press('visitor 2')
    await terminal.shows('Search: visitor 2█')
    terminal.press('\rad')
    await terminal.shows(/delete 12 selected RSVPs\? \(Visitor 29, Visitor 28,\s+Visitor 27\s+and 9\s+others\)/)
    await terminal.shows('Type 12')
    terminal.press('12\r')
    await terminal.shows('Deleted 12 responses. Press u to bring them back.')
    expect(countLeft()).toEqual({ count: 18 })
    terminal.press('u')
    await terminal.shows(/Brought back 12 responses \(Visitor 29, Visitor 28, Visitor 27 and 9\s+others\)\./)
    expect(countLeft()).toEqual(all)
    terminal.press('u')
    await terminal.shows('Nothing was deleted here that u could bring back.')
  })

  it('edit the search', async () => {
    const terminal = await open()
    terminal.press('/')
    for (const keys of ['vixtor 9김', '\u007f', '\u001b[H', '\u001b[C\u001b[C', '\u001b[3~', 's', 'i']) {
      terminal.press(keys)
      await delay(30)
    }
    await terminal.shows('Search: visi█tor 9')
    terminal.press('\u0005')
    await terminal.shows('Search: visitor 9█')
    terminal.press('\u0017')
    await terminal.shows('Search: visitor █')
    terminal.press('\u0001')
    await terminal.shows('Search: █visitor')
    terminal.press('\u0005\u0015')
    await terminal.shows('Search: █')
  })

  it('go by pages and to the ends, and ? shows all of them', async () => {
    const terminal = await open({ rows: 18 })
    for (const [key, text] of [
      ['\u001b[6~', '11 of 30'],
      ['\u001b[F', '30 of 30'],
      ['\u001b[5~', '20 of 30'],
      ['\u001b[H', '1 of 30'],
    ] as const) {
      terminal.press(key)
      await terminal.shows(text)
    }
    terminal.press('?')
    await terminal.shows('one page up or down')
    terminal.press('?')
    await terminal.shows(/^› .*Visitor 30/m)
  })

  it('show new responses with r; until then only their number is shown', async () => {
    const terminal = await open({ columns: 40, rows: 12 })
    terminal.press('j ')
    await terminal.shows('2 of 30, 1 selected')
    inDatabase(url, (database) =>
      database.exec(`INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at)
        VALUES ('late', 'Late Comer', 'late@comer.example', 1, 0, '2025-01-06T14:00:00.000Z')`),
    )
    expect(await terminal.shows('2 of 30, 1 new: press r, 1 selected')).not.toContain('Late Comer')
    terminal.press('r')
    expect(await terminal.shows('3 of 31, 1 selected')).toContain('Late Comer')
    inDatabase(url, (database) => database.exec("DELETE FROM rsvps WHERE key = 'late'"))
  })
})

describe('the terminal of rsvp list', () => {
  const on = '\u001b[?2004h'
  const off = '\u001b[?2004l'

  it.each<[string, (terminal: Awaited<ReturnType<typeof open>>) => void, number]>([
    ['q', (terminal) => terminal.press('q'), 0],
    ['Ctrl+C', (terminal) => terminal.press('\u0003'), 130],
    ['a termination', (terminal) => terminal.kill('SIGTERM'), 143],
  ])('is as before after %s', async (_how, leave, code) => {
    const terminal = await open()
    expect(terminal.raw()).toContain(on)
    leave(terminal)
    expect(await terminal.ended).toBe(code)
    expect(terminal.isAsBefore()).toBe(true)
    expect(terminal.raw().lastIndexOf(off)).toBeGreaterThan(terminal.raw().lastIndexOf(on))
  })

  it('is the shell’s while Ctrl+Z suspends the screen, and comes back as it was', async () => {
    const shell = shellInTerminal(url)
    await shell.shows(/\$$/)
    shell.press('rsvp list\r')
    await shell.shows(/^› .*Visitor 30/m)
    shell.press('j')
    await shell.shows('2 of 30')
    shell.press('\u001a')
    await shell.shows(/Stopped +rsvp list/)
    expect(shell.isFullScreen()).toBe(false)
    shell.press('stty -a | grep -o -- "[-]*icanon" | sed s/^/mode:/\r')
    await shell.shows('mode:icanon')
    shell.resize(100, 20)
    shell.press('fg\r')
    await shell.shows(/^› .*Visitor 29/m)
    expect(shell.isFullScreen()).toBe(true)
    shell.press('j')
    await shell.shows('3 of 30')
    shell.press('q')
    await shell.shows(/\$$/)
    shell.press('exit\r')
    await shell.ended
  })

  it('is drawn anew where a stopped screen goes on, and where no shell could bring it back', async () => {
    const terminal = rsvpProcessInTerminal(url, ['list'])
    await terminal.shows(/^› .*Visitor 30/m)
    terminal.press('\u001a')
    terminal.press('j')
    await terminal.shows('2 of 30')
    terminal.kill('SIGSTOP')
    terminal.kill('SIGCONT')
    terminal.press('j')
    await terminal.shows('3 of 30')
    expect(terminal.isFullScreen()).toBe(true)
  })
})
