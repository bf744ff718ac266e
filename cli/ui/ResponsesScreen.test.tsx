import { setTimeout as delay } from 'node:timers/promises'
import { Terminal } from '@xterm/headless'
import { cleanup, render } from 'ink-testing-library'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '#db/errors.ts'
import { testStoredRsvp } from '#db/fixtures.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { ResponsesScreen, type ResponsesScreenProps } from './ResponsesScreen.tsx'

const [DOWN, RIGHT, LEFT] = ['\u001b[B', '\u001b[C', '\u001b[D'] as const
const ESCAPE = '\u001b'
const ENTER = '\r'
const COLUMNS = 100
const often = { interval: 10 }

// The terminal the test itself runs in must not matter: neither its size nor its colors.
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

const failure = new UserError('unavailable', 'The database cannot be reached.')
const never = new Promise<void>(() => {})

/** Pages one after the other: waits for a promise among them, fails at an error. */
async function* pagesOf(...steps: (StoredRsvp[] | Promise<void> | Error)[]): AsyncGenerator<StoredRsvp[]> {
  for (const step of steps) {
    if (step instanceof Error) throw step
    if (step instanceof Promise) await step
    else yield step
  }
}

type Opening = Partial<Omit<ResponsesScreenProps, 'pages'>> & { pages?: AsyncIterable<StoredRsvp[]>; first?: string }

/** The screen once it shows the `first` text, what it asked to be deleted, and how it was left. */
async function open(opening: Opening = {}) {
  const { pages = pagesOf(three), first = 'Zoë Kim', remove = async (ids) => ids, ...props } = opening
  const read = () => pages
  const asked: number[][] = []
  const outcomes: string[] = []
  const { lastFrame, stdin } = render(
    <ResponsesScreen
      zone="UTC"
      onQuit={() => outcomes.push('done')}
      restore={async (ids) => ids}
      {...props}
      pages={read}
      remove={(ids) => {
        asked.push(ids)
        return remove(ids)
      }}
    />,
  )
  const frame = () => lastFrame() ?? ''
  const shows = (text: string) => vi.waitFor(() => expect(frame()).toContain(text), often)
  /** Presses keys one by one, as a person does, and waits for what comes of the last one. */
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

/** How many lines a real terminal of this width makes of a frame: one that is too wide takes two. */
async function linesOnTerminal(frame: string): Promise<number> {
  const terminal = new Terminal({ cols: COLUMNS, rows: 200, convertEol: true, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(frame, resolve))
  return terminal.buffer.active.cursorY + 1
}

describe('ResponsesScreen', () => {
  it('says that there are no responses', async () => {
    const { frame } = await open({ pages: pagesOf([]), first: 'No responses here.' })
    expect(frame()).toContain('Attending 0, Not Attending 0')
    expect(frame()).not.toContain('reading more…')
  })

  it('shows what has come while it reads on', async () => {
    const first = 'Attending 2, Not Attending 1, reading more…'
    const { frame } = await open({ pages: pagesOf(three.slice(0, 2), three.slice(2), never), first })
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Eva Kim', 'Ana Cole'])
    expect(frame()).toMatch(/› +3 +Zoë Kim +✓ Attending +Jan \d, 2025 +- +ana@cole.example/)
    expect(frame()).toMatch(/ +2 +Eva Kim +✗ Not Attending/)
  })

  it('says why it could not read on, beside what has come', async () => {
    const { frame } = await open({ pages: pagesOf(three, failure), first: 'The database cannot be reached.' })
    expect(namesIn(frame())).toHaveLength(3)
    expect(frame()).not.toMatch(/Loading|reading more/)
  })

  it('searches at every key, and shows all again on escape; a paste is searched for and never keys', async () => {
    const { frame, press } = await open()
    await press(['/', 'k', 'i', 'm'], 'Search: kim█')
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Eva Kim'])
    await press(['x'], 'No response contains these words. Press / to search for others.')
    await press(['\x7f', ENTER], 'searching for: kim')
    expect(frame()).toContain('Attending 1, Not Attending 1')
    await press([ESCAPE], 'Attending 2, Not Attending 1')
    await press(['\u001b[200~dy\u001b[201~'], 'Search: dy█')
    await press([ESCAPE], '/ search')
    expect(namesIn(frame())).toHaveLength(3)
  })

  it('sorts by newest, oldest, name and status, round and round', async () => {
    const { frame, press } = await open()
    const orders: [string, string[]][] = [
      ['by oldest', ['Ana Cole', 'Eva Kim', 'Zoë Kim']],
      ['by name', ['Ana Cole', 'Eva Kim', 'Zoë Kim']],
      ['by status', ['Zoë Kim', 'Ana Cole', 'Eva Kim']],
      ['by newest', ['Zoë Kim', 'Eva Kim', 'Ana Cole']],
    ]
    for (const [order, names] of orders) {
      await press(['s'], order)
      expect(namesIn(frame())).toEqual(names)
    }
  })

  it('opens a response with all there is, goes to others and back', async () => {
    const { frame, press } = await open()
    await press([DOWN, DOWN, ENTER], 'Line two')
    expect(frame()).toMatch(/Family Members +Joel Cole \(child\)/)
    expect(frame()).not.toMatch(/Eva Kim|Phone/)
    await press([LEFT], 'Eva Kim')
    expect(frame()).not.toContain('Line two')
    await press([RIGHT], 'Line two')
    await press([ESCAPE], 'enter read')
    expect(frame()).toMatch(/› +1 +Ana Cole/)
  })

  it.each([[[]], [[ENTER]]])('asks before it deletes the one under the cursor (after %j)', async (keys) => {
    const { asked, frame, press } = await open()
    await press([DOWN, ...keys, 'd'], 'Are you sure you want to delete this RSVP? (Eva Kim)')
    expect([asked, frame().includes('y/N')]).toEqual([[], true])
    await press(['y'], 'Deleted 1 response. Press u to restore it.')
    expect(asked).toEqual([[2]])
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Ana Cole'])
  })

  it('asks for the number of those selected that the search shows, and brings back one deletion after another', async () => {
    const { asked, frame, press } = await open()
    await press(['a', '/', ...'kim', ENTER, 'd'], 'Type 2, then enter: █')
    expect(frame()).toContain('delete 2 selected RSVPs? (Zoë Kim, Eva Kim)')
    await press(['3', ENTER], 'Not that. Type 2:')
    await press(['2', ENTER], 'Deleted 2 responses. Press u to restore them.')
    await press([ESCAPE], 'Attending 1, Not Attending 0')
    await press(['d', 'y'], 'Deleted 1 response.')
    expect(asked).toEqual([[3, 2], [1]])
    await press(['u'], 'Restored 1 response (Ana Cole).')
    await press(['u'], 'Restored 2 responses (Zoë Kim, Eva Kim).')
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Eva Kim', 'Ana Cole', 'Zoë Kim', 'Eva Kim'])
    await press(['u'], 'Nothing was deleted here that u could restore.')
  })

  it('deletes the one it asked about, also when others have come above it meanwhile', async () => {
    const more = Promise.withResolvers<void>()
    const { asked, press, shows } = await open({ pages: pagesOf(three.slice(0, 2), more.promise, three.slice(2)) })
    await press(['s', 'd'], 'Are you sure you want to delete this RSVP?')
    more.resolve()
    await shows('Attending 2, Not Attending 1')
    await press(['y'], 'Deleted 1 response.')
    expect(asked).toEqual([[2]])
  })

  it('takes no keys until all are deleted, and takes away what was gone already', async () => {
    const end = Promise.withResolvers<number[]>()
    const { asked, frame, outcomes, press, shows } = await open({ remove: () => end.promise })
    await press(['a', 'd', '3', ENTER], '3 selected')
    await press(['q', 'd', 'y', ESCAPE], '3 selected')
    expect([asked, outcomes]).toEqual([[[3, 2, 1]], []])
    end.resolve([3])
    await shows('Deleted 1 response. Press u to restore it.')
    expect(namesIn(frame())).toBeNull()
  })

  it('says why a deletion failed, and keeps everything', async () => {
    const remove = () => Promise.reject(new UserError('full', 'The disk is full. Make room.'))
    const { frame, press } = await open({ remove })
    await press(['a', 'd', '3', ENTER], 'The disk is full. Make room.')
    expect(namesIn(frame())).toHaveLength(3)
    await press([DOWN], '3 selected')
  })

  it.each([
    ['Korean', '김민수서연'.repeat(30)],
    ['an emoji of four people', '👨‍👩‍👧‍👦 Family'],
  ])('draws no line wider than the terminal for %s', async (_kind, name) => {
    const member = { name, age: null, attending: true }
    const pages = pagesOf([testStoredRsvp(1, { name, email: name, familyMembers: [member] })])
    const { frame, press } = await open({ pages, first: name.slice(0, 8) })
    const lines = frame().split('\n')
    expect(lines.filter((line) => line.includes(name.slice(0, 4)))).toHaveLength(1)
    expect(await linesOnTerminal(frame())).toBe(lines.length)
    await press([ENTER], 'other responses')
    expect(await linesOnTerminal(frame())).toBe(frame().split('\n').length)
  })
})
