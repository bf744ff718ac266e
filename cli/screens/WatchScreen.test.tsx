import { Terminal } from '@xterm/headless'
import { cleanup, render } from 'ink-testing-library'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '#db/errors.ts'
import { testStoredRsvp } from '#db/fixtures.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { WatchScreen } from './WatchScreen.tsx'

const ESCAPE = '\u001b'
const COLUMNS = 100
const ROWS = 24
const often = { interval: 10 }

// The terminal the test itself runs in must not matter: neither its size nor its colors.
vi.hoisted(() => Object.assign(process.env, { COLUMNS: '100', LINES: '24', FORCE_COLOR: '0' }))
afterEach(cleanup)

/** Yields responses one after the other: waits for a promise, throws an error, and never ends by itself. */
async function* responsesOf(...steps: (StoredRsvp | Promise<void> | Error)[]): AsyncGenerator<StoredRsvp> {
  for (const step of steps) {
    if (step instanceof Error) throw step
    if (step instanceof Promise) await step
    else yield step
  }
  await new Promise(() => {})
}

/** The screen once it shows a text. */
async function open(responses: AsyncIterable<StoredRsvp>, first: string) {
  const left = vi.fn()
  const { lastFrame, stdin } = render(<WatchScreen responses={responses} zone="America/Chicago" onQuit={left} />)
  const frame = () => lastFrame() ?? ''
  const shows = (text: string) => vi.waitFor(() => expect(frame()).toContain(text), often)
  await shows(first)
  return { frame, shows, left, stdin }
}

/** How many lines a real terminal of this width makes of a frame: one that is too wide takes two. */
async function linesOnTerminal(frame: string): Promise<number> {
  const terminal = new Terminal({ cols: COLUMNS, rows: 200, convertEol: true, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(frame, resolve))
  return terminal.buffer.active.cursorY + 1
}

describe('WatchScreen', () => {
  it('waits for the first one', async () => {
    const { frame } = await open(responsesOf(), 'Waiting for the first one…')
    expect(frame()).toContain('0 so far: 0 attending, 0 not attending')
  })

  it('shows responses as they come in, the newest on top', async () => {
    const next = Promise.withResolvers<void>()
    const ana = testStoredRsvp(1)
    const eva = testStoredRsvp(2, { name: 'Eva Kim', attending: false })
    const { frame, shows } = await open(responsesOf(ana, next.promise, eva), '1 so far: 1 attending, 0 not attending')
    expect(frame()).toMatch(/Name +Status[\s\S]*\n1 +Ana Cole +✓ Attending/)
    expect(frame()).not.toContain('Waiting')
    next.resolve()
    await shows('2 so far: 1 attending, 1 not attending')
    expect(frame()).toMatch(/\n2 +Eva Kim +✗ Not Attending[\s\S]*\n1 +Ana Cole +✓ Attending/)
  })

  it('counts all of them, and shows as many as there is room for', async () => {
    const many = Array.from({ length: 50 }, (_, at) => testStoredRsvp(at + 1, { name: `P${at + 1}.` }))
    const { frame } = await open(responsesOf(...many), '50 so far')
    const shown = frame().match(/P\d+\./g)
    expect(shown?.[0]).toBe('P50.')
    expect(shown?.length).toBeGreaterThan(10)
    expect(frame().split('\n').length).toBeLessThan(ROWS)
  })

  it('says why it could not go on, beside what has come', async () => {
    const failure = new UserError('unavailable', 'The database cannot be reached.')
    const { frame } = await open(responsesOf(testStoredRsvp(1), failure), 'The database cannot be reached.')
    expect(frame()).toContain('Ana Cole')
    expect(frame().split('\n').length).toBeLessThan(ROWS)
  })

  it('says so as well when nothing has come, and no longer that it waits', async () => {
    const failure = new UserError('unavailable', 'The database cannot be reached.')
    const { frame } = await open(responsesOf(failure), 'The database cannot be reached.')
    expect(frame()).not.toContain('Waiting')
  })

  it('still fits with as many responses as there is room for and a failure', async () => {
    const many = Array.from({ length: 50 }, (_, at) => testStoredRsvp(at + 1))
    const failure = new UserError('unavailable', 'The database cannot be reached.')
    const { frame } = await open(responsesOf(...many, failure), 'The database cannot be reached.')
    expect(frame().split('\n').length).toBeLessThan(ROWS)
  })

  it.each(['q', ESCAPE])('is left with %j', async (key) => {
    // Once a response is shown, keys count as well.
    const { left, stdin } = await open(responsesOf(testStoredRsvp(1)), '1 so far')
    stdin.write(key)
    await vi.waitFor(() => expect(left).toHaveBeenCalledOnce(), often)
  })

  it('obeys no control character that a visitor typed', async () => {
    const hostile = '\u001b[2J\u001b]0;owned\u0007\x9b31m\u202eAna\nCole'
    const { frame } = await open(responsesOf(testStoredRsvp(1, { name: hostile, email: hostile })), 'Ana Cole')
    const obeyed = ['\u001b[2J', '\u001b]', '\u0007', '\x9b', '\u202e'].filter((one) => frame().includes(one))
    expect(obeyed).toEqual([])
  })

  it.each([
    ['Korean', '김민수서연'.repeat(30)],
    ['a word without end', 'x'.repeat(200)],
  ])('draws no line wider than the terminal for %s', async (_kind, name) => {
    const { frame } = await open(responsesOf(testStoredRsvp(1, { name, email: name })), name.slice(0, 8))
    expect(await linesOnTerminal(frame())).toBe(frame().split('\n').length)
  })
})
