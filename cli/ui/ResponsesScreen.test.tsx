import { setTimeout as delay } from 'node:timers/promises'
import { Terminal } from '@xterm/headless'
import { cleanup, render } from 'ink-testing-library'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '#db/values/errors.ts'
import { testStoredRsvp } from '#testing/database-fixtures.ts'
import { ResponsesScreen, type ResponsesScreenProps } from './ResponsesScreen.tsx'

const DOWN = '\u001b[B'
const ESCAPE = '\u001b'
const ENTER = '\r'
const COLUMNS = 100
const often = { interval: 10 }

// Fixes the size and the colors, which Ink would otherwise take from the terminal of whoever runs the tests.
vi.hoisted(() => Object.assign(process.env, { COLUMNS: '100', LINES: '24', FORCE_COLOR: '0' }))
afterEach(cleanup)

const three = [
  testStoredRsvp(3, { name: 'Zoë Kim' }),
  testStoredRsvp(2, { name: 'Eva Kim', attending: false }),
  testStoredRsvp(1, {
    message: 'Line one\nLine two',
    familyMembers: [{ name: 'Joel Cole', age: 'child', attending: true }],
  }),
]

type Opening = Partial<ResponsesScreenProps> & { first?: string }

/** Draws the screen until it shows the text `first`. `asked` are the deletions it asks for; `outcomes`, how it ended. */
async function open({ first = 'Zoë Kim', remove = async (ids) => ids, ...props }: Opening = {}) {
  const asked: number[][] = []
  const outcomes: string[] = []
  const { lastFrame, stdin } = render(
    <ResponsesScreen
      responses={three}
      zone="UTC"
      onEnd={() => outcomes.push('done')}
      {...props}
      remove={(ids) => {
        asked.push(ids)
        return remove(ids)
      }}
    />,
  )
  const frame = () => lastFrame() ?? ''
  const shows = (text: string) => vi.waitFor(() => expect(frame()).toContain(text), often)
  /** Presses keys one by one, as a person does, and waits until the screen shows the text. */
  async function press(keys: string[], text: string) {
    for (const key of keys) {
      await delay(10)
      stdin.write(key)
    }
    await delay(10)
    await shows(text)
  }
  await shows(first)
  return { asked, outcomes, frame, shows, press }
}

const namesIn = (frame: string) => frame.match(/Ana Cole|Eva Kim|Zoë Kim/g)

/** How many lines a frame takes on a real terminal, where a line that is too wide takes two. */
async function linesOnTerminal(frame: string): Promise<number> {
  const terminal = new Terminal({ cols: COLUMNS, rows: 200, convertEol: true, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(frame, resolve))
  return terminal.buffer.active.cursorY + 1
}

describe('ResponsesScreen', () => {
  it('says that there are no responses', async () => {
    const { frame } = await open({ responses: [], first: 'No responses here.' })
    expect(frame()).toContain('Attending 0, Not Attending 0')
  })

  it('searches at every key, shows all again on escape, and ignores a paste outside the search', async () => {
    const { frame, press } = await open()
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Eva Kim', 'Ana Cole'])
    await press(['\u001b[200~dy\u001b[201~', '/', 'k', 'i', '\u001b[200~m\u001b[201~'], 'Search: kim█')
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Eva Kim'])
    await press(['x'], 'No response contains these words. Press / to search for others.')
    await press(['\x7f', ENTER], 'searching for: kim')
    expect(frame()).toContain('Attending 1, Not Attending 1')
    await press([ESCAPE], 'Attending 2, Not Attending 1')
  })

  it('opens a response with its details, and goes back to the same row', async () => {
    const { frame, press } = await open()
    await press([DOWN, DOWN, ENTER], 'Line two')
    expect(frame()).toMatch(/Family Members +Joel Cole \(child\)/)
    expect(frame()).not.toMatch(/Eva Kim|Phone/)
    await press([ESCAPE], 'enter read')
    expect(frame()).toMatch(/› +1 +Ana Cole/)
  })

  it.each([[[]], [[ENTER]]])('asks before it deletes the response under the cursor (after %j)', async (keys) => {
    const { asked, frame, press } = await open()
    await press([DOWN, ...keys, 'd'], 'Are you sure you want to delete this RSVP? (Eva Kim)')
    expect([asked, frame().includes('y/N')]).toEqual([[], true])
    await press(['y'], 'Deleted 1 response. See `rsvp list --deleted` and `rsvp restore`.')
    expect(asked).toEqual([[2]])
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Ana Cole'])
  })

  it('asks for the number of selected responses, and deletes none that a search has hidden', async () => {
    const { asked, frame, press } = await open()
    await press(['a', '/', ...'kim', ENTER, ' ', DOWN, ' ', 'd'], 'Type 2, then enter: █')
    expect(frame()).toContain('delete 2 selected RSVPs? (Zoë Kim, Eva Kim)')
    await press(['3', ENTER], 'Not that. Type 2:')
    await press(['2', ENTER], 'Deleted 2 responses.')
    await press([ESCAPE], 'Attending 1, Not Attending 0')
    expect(asked).toEqual([[3, 2]])
  })

  it('ignores keys while it deletes, and removes rows that were deleted elsewhere', async () => {
    const end = Promise.withResolvers<number[]>()
    const { asked, frame, outcomes, press, shows } = await open({ remove: () => end.promise })
    await press(['a', 'd', '3', ENTER], '3 selected')
    await press(['q', 'd', 'y', ESCAPE], '3 selected')
    expect([asked, outcomes]).toEqual([[[3, 2, 1]], []])
    end.resolve([3])
    await shows('Deleted 1 response.')
    expect(namesIn(frame())).toBeNull()
  })

  it('shows why a deletion failed, and keeps the rows and the selection', async () => {
    const remove = () => Promise.reject(new UserError('full', 'The disk is full. Make room.'))
    const { frame, press } = await open({ remove })
    await press(['a', 'd', '3', ENTER], 'The disk is full. Make room.')
    expect(namesIn(frame())).toHaveLength(3)
    expect(frame()).toContain('3 selected')
  })

  it.each([
    ['Korean', '김민수서연'.repeat(30)],
    ['an emoji of four people', '👨‍👩‍👧‍👦 Family'],
  ])('draws no line wider than the terminal for %s', async (_kind, name) => {
    const member = { name, age: null, attending: true }
    const responses = [testStoredRsvp(1, { name, email: name, familyMembers: [member] })]
    const { frame, press } = await open({ responses, first: name.slice(0, 8) })
    const lines = frame().split('\n')
    expect(lines.filter((line) => line.includes(name.slice(0, 4)))).toHaveLength(1)
    expect(await linesOnTerminal(frame())).toBe(lines.length)
    await press([ENTER], 'esc back')
    expect(await linesOnTerminal(frame())).toBe(frame().split('\n').length)
  })
})
