import { setTimeout as delay } from 'node:timers/promises'
import { Terminal } from '@xterm/headless'
import { cleanup, render } from 'ink-testing-library'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '#db/errors.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Deletion } from '../delete-responses.ts'
import { ResponsesScreen, type ResponsesScreenProps } from './ResponsesScreen.tsx'

const DOWN = '\u001b[B'
const RIGHT = '\u001b[C'
const LEFT = '\u001b[D'
const ESCAPE = '\u001b'
const ENTER = '\r'
const COLUMNS = 100

// The test's own terminal must not decide how many rows there are.
vi.stubEnv('COLUMNS', String(COLUMNS))
vi.stubEnv('LINES', '24')
afterEach(cleanup)

function stored(id: number, changes: Partial<StoredRsvp> = {}): StoredRsvp {
  return {
    id,
    name: 'Ana Cole',
    email: 'ana@cole.example',
    phone: null,
    message: null,
    attending: true,
    addToCalendar: false,
    calendarType: null,
    createdAt: '2025-01-05T14:00:00.000Z',
    familyMembers: [],
    volunteerSignups: [],
    ...changes,
  }
}

const three = [
  stored(3, { name: 'Zoë Kim' }),
  stored(2, { name: 'Eva Kim', attending: false }),
  stored(1, { message: 'Line one\nLine two', familyMembers: [{ name: 'Joel Cole', age: 'child', attending: true }] }),
]

const failure = new UserError('unavailable', 'The database cannot be reached.')
const never = new Promise<void>(() => {})
let more = Promise.withResolvers<void>()
beforeEach(() => {
  more = Promise.withResolvers()
})

/** Pages one after the other: waits for a promise among them, fails at an error. */
async function* pagesOf(...steps: (StoredRsvp[] | Promise<void> | Error)[]): AsyncGenerator<StoredRsvp[]> {
  for (const step of steps) {
    if (step instanceof Error) throw step
    if (step instanceof Promise) await step
    else yield step
  }
}

const deleteAll: ResponsesScreenProps['remove'] = async (ids) => ({ deleted: ids, notFound: [], untouched: [] })

/** The screen, what it asked to be deleted, and how it was left. */
function open(pages: AsyncIterable<StoredRsvp[]>, props: Partial<ResponsesScreenProps> = {}) {
  const asked: number[][] = []
  const outcomes: (Deletion | undefined)[] = []
  const { lastFrame, stdin } = render(
    <ResponsesScreen
      purpose="look"
      onDone={(...outcome) => outcomes.push(outcome[0])}
      {...props}
      pages={pages}
      remove={(ids, report) => {
        asked.push(ids)
        return (props.remove ?? deleteAll)(ids, report)
      }}
    />,
  )
  const frame = () => lastFrame() ?? ''
  const waitFor = (text: string) => vi.waitFor(() => expect(frame()).toContain(text), { interval: 10 })
  return {
    asked,
    outcomes,
    frame,
    shows: waitFor,
    /** Presses keys one by one, as a person does, and waits for what comes of the last one. */
    press: async (keys: string[], text: string) => {
      for (const key of keys) {
        await delay(10)
        stdin.write(key)
      }
      await waitFor(text)
    },
  }
}

const namesIn = (frame: string) => frame.match(/Ana Cole|Eva Kim|Zoë Kim/g)

/** How many lines a real terminal of this width makes of a frame: one that is too wide takes two. */
async function linesOnTerminal(frame: string): Promise<number> {
  const terminal = new Terminal({ cols: COLUMNS, rows: 200, convertEol: true, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(frame, resolve))
  return terminal.buffer.active.cursorY + 1
}

describe('ResponsesScreen', () => {
  it('says that it is reading while nothing has come', async () => {
    const { frame, shows } = open(pagesOf(never))
    await shows('Loading responses...')
    expect(frame()).toContain('reading more…')
  })

  it('says where to find the link while nobody has answered', async () => {
    const { frame, shows } = open(pagesOf([]))
    await shows('Nobody has answered yet. `rsvp share` shows the link for everybody.')
    expect(frame()).toContain('Attending 0, Not Attending 0')
    expect(frame()).not.toContain('reading more…')
  })

  it('shows what has come while it reads on', async () => {
    const { frame, shows } = open(pagesOf(three.slice(0, 2), three.slice(2), never))
    await shows('Attending 2, Not Attending 1, reading more…')
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Eva Kim', 'Ana Cole'])
    expect(frame()).toMatch(/› +Zoë Kim +✓ Attending +Jan \d, 2025 +- +ana@cole.example/)
    expect(frame()).toMatch(/ +Eva Kim +✗ Not Attending/)
  })

  it.each([[[]], [three]])('says why it could not read on, and that nothing more is coming', async (page) => {
    const { frame, shows } = open(pagesOf(page, failure))
    await shows('The database cannot be reached.')
    expect(frame()).not.toContain('Loading responses...')
    expect(frame()).not.toContain('reading more…')
    expect(namesIn(frame()) ?? []).toHaveLength(page.length)
  })

  it('lets somebody who types a search type on when it cannot read on', async () => {
    const { frame, press, shows } = open(pagesOf(three, more.promise, failure))
    await shows('Zoë Kim')
    await press(['/', 'd'], 'Search: d█')
    more.resolve()
    await delay(50)
    await press(['y'], 'Search: dy█')
    expect(frame()).not.toContain('Are you sure')
  })

  it('searches while somebody types, and shows all again on escape', async () => {
    const { frame, press, shows } = open(pagesOf(three))
    await shows('Zoë Kim')
    await press(['/', 'k', 'i', 'm'], 'Search: kim█')
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Eva Kim'])
    await press(['x'], 'No response holds these words. Press / to search for others.')
    await press(['\x7f', ENTER], 'searching for: kim')
    expect(frame()).toContain('Attending 1, Not Attending 1')
    await press([ESCAPE], 'Attending 2, Not Attending 1')
    await press(['/', 'a\nb'], 'Search: a b█')
    await press([ESCAPE], '/ search')
    expect(namesIn(frame())).toHaveLength(3)
  })

  it('sorts', async () => {
    const { frame, press, shows } = open(pagesOf(three))
    await shows('by newest')
    await press(['s'], 'by oldest')
    expect(namesIn(frame())).toEqual(['Ana Cole', 'Eva Kim', 'Zoë Kim'])
    await press(['s', 's'], 'by status')
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Ana Cole', 'Eva Kim'])
  })

  it('opens a response with all there is, goes to others and back', async () => {
    const { frame, press, shows } = open(pagesOf(three))
    await shows('Zoë Kim')
    await press([DOWN, DOWN, ENTER], 'Line two')
    expect(frame()).toMatch(/Family Members +Joel Cole \(child\)/)
    expect(namesIn(frame())).not.toContain('Eva Kim')
    await press([LEFT], 'Eva Kim')
    expect(frame()).not.toContain('Line two')
    await press([RIGHT], 'Line two')
    await press([ESCAPE], 'enter read')
    expect(frame()).toMatch(/› +Ana Cole/)
  })

  it('keeps the cursor in sight in a long list', async () => {
    const { frame, press, shows } = open(
      pagesOf(Array.from({ length: 50 }, (_, at) => stored(50 - at, { name: `P${50 - at}.` }))),
    )
    await shows('P50.')
    await press(['G'], 'P1.')
    expect(frame()).toMatch(/› +P1\./)
    expect(frame()).not.toContain('P50.')
    await press(['k', 'g'], 'P50.')
    expect(frame()).toMatch(/› +P50\./)
  })

  it('asks before it deletes the one under the cursor', async () => {
    const { asked, frame, press, shows } = open(pagesOf(three))
    await shows('Zoë Kim')
    await press([DOWN, 'd'], 'Are you sure you want to delete this RSVP?')
    expect(asked).toEqual([])
    await press(['y'], 'Deleted 1 response.')
    expect(asked).toEqual([[2]])
    expect(namesIn(frame())).toEqual(['Zoë Kim', 'Ana Cole'])
  })

  it.each(['n', ENTER, ESCAPE, 'q'])('deletes nothing when the answer is %j', async (answer) => {
    const { asked, frame, outcomes, press, shows } = open(pagesOf(three))
    await shows('Zoë Kim')
    await press(['d'], 'Are you sure')
    await press([answer], 'enter read')
    expect([asked, outcomes, namesIn(frame())?.length]).toEqual([[], [], 3])
  })

  it('deletes the selected ones', async () => {
    const { asked, frame, press, shows } = open(pagesOf(three))
    await shows('Zoë Kim')
    await press([' ', DOWN, DOWN, ' '], '2 selected')
    expect(frame()).toMatch(/● Zoë Kim[^●]*● Ana Cole/)
    await press(['d'], 'Are you sure you want to delete 2 selected RSVPs?')
    await press(['y'], 'Deleted 2 responses.')
    expect(asked).toEqual([[3, 1]])
    expect(namesIn(frame())).toEqual(['Eva Kim'])
  })

  it('selects all that the search has found', async () => {
    const { asked, press, shows } = open(pagesOf(three))
    await shows('Zoë Kim')
    await press(['/', 'kim', ENTER, 'a', 'd'], 'Are you sure you want to delete 2 selected RSVPs?')
    await press(['y'], 'Deleted 2 responses.')
    expect(asked).toEqual([[3, 2]])
  })

  it('deletes the response that is open, whatever is selected in the table', async () => {
    const { asked, press, shows } = open(pagesOf(three))
    await shows('Zoë Kim')
    await press([' ', DOWN, ENTER, 'd'], 'Are you sure you want to delete this RSVP?')
    await press(['y'], 'Deleted 1 response.')
    expect(asked).toEqual([[2]])
  })

  it('deletes the one it asked about, also when others have come above it meanwhile', async () => {
    const { asked, press, shows } = open(pagesOf(three.slice(0, 2), more.promise, three.slice(2)))
    await shows('Zoë Kim')
    await press(['s', 'd'], 'Are you sure you want to delete this RSVP?')
    more.resolve()
    await shows('Attending 2, Not Attending 1')
    await press(['y'], 'Deleted 1 response.')
    expect(asked).toEqual([[2]])
  })

  it('shows how far it is, and takes no keys, until all are deleted', async () => {
    const end = Promise.withResolvers<Deletion>()
    const { asked, frame, outcomes, press, shows } = open(pagesOf(three), {
      remove: (_ids, report) => {
        report(1)
        return end.promise
      },
    })
    await shows('Zoë Kim')
    await press(['a', 'd', 'y'], '█')
    await press(['q', 'd', 'y', ESCAPE], '█')
    expect([asked, outcomes]).toEqual([[[3, 2, 1]], []])
    end.resolve({ deleted: [3], notFound: [2], untouched: [1] })
    await shows('Deleted 1 response. Interrupted: 1 were not reached.')
    expect(namesIn(frame())).toEqual(['Ana Cole'])
  })

  it('says why a deletion failed, and keeps everything', async () => {
    const { frame, press, shows } = open(pagesOf(three), {
      remove: () => Promise.reject(new UserError('full', 'The disk is full. Make room.')),
    })
    await shows('Zoë Kim')
    await press(['a', 'd', 'y'], 'The disk is full. Make room.')
    expect(namesIn(frame())).toHaveLength(3)
    await press([DOWN], '3 selected')
  })

  it('is done with what was deleted where that is the purpose', async () => {
    const { outcomes, press, shows } = open(pagesOf(three), { purpose: 'delete' })
    await shows('Choose what to delete')
    await press(['d', 'y'], 'Choose what to delete')
    await vi.waitFor(() => expect(outcomes).toEqual([{ deleted: [3], notFound: [], untouched: [] }]))
  })

  it.each(['q', ESCAPE])('is left with %j', async (key) => {
    const { outcomes, press, shows } = open(pagesOf(three))
    await shows('Zoë Kim')
    await press([key], 'Zoë Kim')
    await vi.waitFor(() => expect(outcomes).toEqual([undefined]))
  })

  it('obeys nothing that somebody typed', async () => {
    const hostile = '\u001b[2J\u001b]0;owned\u0007\x9b31m\u202eAna\nCole'
    const response = stored(1, { name: hostile, email: hostile, message: hostile, phone: hostile })
    const { frame, press, shows } = open(pagesOf([response]))
    const obeyed = () => ['\u001b[2J', '\u001b]', '\u0007', '\x9b', '\u202e'].filter((one) => frame().includes(one))
    await shows('  Ana Cole')
    expect(obeyed()).toEqual([])
    await press([ENTER], 'other responses')
    expect(frame()).toMatch(/Name +Ana\n +Cole\n/)
    expect(obeyed()).toEqual([])
  })

  it.each([
    ['Korean', '김민수서연'.repeat(30)],
    ['Arabic', 'محمد علي '.repeat(20)],
    ['a word without end', 'x'.repeat(200)],
    ['an emoji of four people', '👨‍👩‍👧‍👦 Family'],
  ])('draws no line wider than the terminal for %s', async (_kind, name) => {
    const member = { name, age: null, attending: true }
    const { frame, press, shows } = open(pagesOf([stored(1, { name, email: name, familyMembers: [member] })]))
    await shows(name.slice(0, 8))
    expect(await linesOnTerminal(frame())).toBe(frame().split('\n').length)
    await press([ENTER], 'other responses')
    expect(await linesOnTerminal(frame())).toBe(frame().split('\n').length)
  })
})
