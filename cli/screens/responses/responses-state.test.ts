import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testStoredRsvp } from '#db/fixtures.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'

import {
  nothingRead,
  type ResponsesAction,
  type ResponsesState,
  responsesReducer,
  shownResponses,
  targetsOf,
} from './responses-state.ts'

const four = [
  testStoredRsvp(4, { name: 'Élise Roux', attending: false }),
  testStoredRsvp(3, { name: 'Zoë Kim' }),
  testStoredRsvp(2, { name: 'Eva Kim', attending: false }),
  testStoredRsvp(1, { name: 'Ana Cole' }),
]

/** What comes of a state when one thing after the other is done. */
function done(state: ResponsesState, ...actions: ResponsesAction[]): ResponsesState {
  return actions.reduce(responsesReducer, state)
}

const idsOf = (responses: StoredRsvp[]) => responses.map(({ id }) => id)
const shownIds = (state: ResponsesState) => idsOf(shownResponses(state))
const move = (by: number, count = 4) => ({ type: 'move', by, count }) as const
const select = (...ids: number[]) => ({ type: 'select', ids }) as const
const search = (text: string) => ({ type: 'search', text }) as const
const deleted = (...ids: number[]) => ({ type: 'deleted', ids, notice: 'Deleted.' }) as const
const read = done(nothingRead, { type: 'read', page: four }, { type: 'complete' })

describe('responsesReducer', () => {
  it('adds page after page, and says when it was the last', () => {
    const page = (from: number, to: number) => ({ type: 'read', page: four.slice(from, to) }) as const
    const half = done(nothingRead, page(0, 2), page(2, 4))
    expect(half).toEqual({ ...nothingRead, responses: four, newest: 4 })
    expect(done(half, { type: 'complete' })).toEqual({ ...half, complete: true })
  })

  it.each([
    [-1, 0],
    [4, 3],
  ])('moves by %i to %i, never out of the list', (by, cursor) => {
    expect(done(read, move(by)).cursor).toBe(cursor)
  })

  it('clears the notice at the next key', () => {
    const told = done(read, { type: 'told', notice: 'The disk is full.' })
    expect(told).toEqual({ ...read, notice: 'The disk is full.' })
    expect(done(told, move(1)).notice).toBe('')
    expect(done(told, { type: 'mode', mode: 'search' })).toEqual({ ...read, mode: 'search' })
  })

  it('selects and takes it back', () => {
    expect([...done(read, select(3)).selected]).toEqual([3])
    expect([...done(read, select(3), select(3)).selected]).toEqual([])
    expect([...read.selected]).toEqual([])
  })

  it('selects all while one of them is not selected, and none of them when all are', () => {
    const all = done(read, select(2), select(4, 3, 2))
    expect([...all.selected].toSorted()).toEqual([2, 3, 4])
    expect([...done(all, select(1), select(4, 3, 2)).selected]).toEqual([1])
  })

  it('keeps the selection over a search and another order', () => {
    expect([...done(read, select(3), search('ana'), { type: 'sort' }).selected]).toEqual([3])
  })

  it('goes from one order to the next, round and round', () => {
    const states = Array.from({ length: 6 }, (_, presses) => done(read, ...Array(presses).fill({ type: 'sort' })))
    expect(states.map(({ sorting }) => sorting)).toEqual(['newest', 'oldest', 'name', 'status', 'newest', 'oldest'])
  })

  it('begins at the top of another order, and of what a search finds', () => {
    expect(done(read, move(2), { type: 'sort' }).cursor).toBe(0)
    expect(done(read, move(2), search('kim'))).toMatchObject({ search: 'kim', cursor: 0 })
  })

  it('takes deleted responses out of the list and out of the selection', () => {
    const state = done(read, select(4, 2, 1), { type: 'mode', mode: 'working' }, deleted(4, 2))
    expect(state).toMatchObject({ mode: 'table', notice: 'Deleted.' })
    expect(idsOf(state.responses)).toEqual([3, 1])
    expect([...state.selected]).toEqual([1])
  })

  it('leaves the cursor on what moved up, or on the last one', () => {
    expect(done(read, move(1), deleted(3)).cursor).toBe(1)
    expect(done(read, move(3), deleted(1)).cursor).toBe(2)
    expect(done(read, move(3), deleted(4, 3, 2, 1)).cursor).toBe(0)
    expect(done(read, search('kim'), move(1, 2), deleted(2)).cursor).toBe(0)
  })

  it('asks for the number of several, and for a yes of one', () => {
    const ask = (...ids: number[]) => done(read, { type: 'ask', ids })
    expect(ask(3)).toMatchObject({ mode: 'question', asked: [{ name: 'Zoë Kim' }], question: { number: undefined } })
    expect(ask(3, 1)).toMatchObject({ mode: 'question', question: { number: 2 } })
    expect(ask()).toBe(read)
    expect(done(ask(3, 1), { type: 'mode', mode: 'table' }).question).toBeUndefined()
  })

  it('brings back deletion after deletion, each to its place', () => {
    const gone = done(read, deleted(2), { ...deleted(4), missing: [1] })
    expect([idsOf(gone.responses), gone.deletions.map(idsOf)]).toEqual([[3], [[2], [4]]])
    const once = done(gone, { type: 'restored', ids: [4], notice: 'Back.' })
    expect([idsOf(once.responses), once.cursor, once.notice]).toEqual([[4, 3], 0, 'Back.'])
    const twice = done(once, { type: 'restored', ids: [2], notice: 'Back.' })
    expect([idsOf(twice.responses), twice.cursor, twice.deletions]).toEqual([[4, 3, 2], 2, []])
  })

  it('keeps what could not be brought back yet', () => {
    const gone = done(read, deleted(4, 3, 2))
    const some = done(gone, { type: 'restored', ids: [4], left: [2], notice: 'Full.' })
    expect([idsOf(some.responses), some.deletions.map(idsOf)]).toEqual([[4, 1], [[2]]])
  })

  it('shows after a reload what is there now, with cursor and selection where they were', () => {
    const before = done(read, select(3, 2), move(1), { type: 'newer', count: 2 }, { type: 'reload' })
    expect(before).toMatchObject({ round: 1, complete: false, responses: four })
    const responses = [testStoredRsvp(6), testStoredRsvp(5), ...four.filter(({ id }) => id !== 2)]
    const after = done(before, { type: 'reloaded', responses })
    expect(after).toMatchObject({ complete: true, newest: 6, newer: 0, cursor: 3 })
    expect([...after.selected]).toEqual([3])
  })

  it('reads once more what was being read while something was written', () => {
    expect(done(read, { type: 'reload' }, deleted(3)).round).toBe(2)
    expect(done(read, deleted(3)).round).toBe(0)
    expect(done(nothingRead, { type: 'read', page: four }, deleted(3)).round).toBe(0)
  })

  it('goes back to the table where the response that is open is gone', () => {
    const open = done(read, move(2), { type: 'mode', mode: 'response' }, { type: 'reload' })
    const after = done(open, { type: 'reloaded', responses: four.filter(({ id }) => id !== 2) })
    expect(after).toMatchObject({ mode: 'table', notice: expect.stringContaining('is gone') })
    expect(done(open, { type: 'reloaded', responses: four })).toMatchObject({ mode: 'response', cursor: 2 })
  })

  it('never leaves the cursor outside of what is shown, whatever is done', () => {
    const steps = fc.array(
      fc.oneof(
        fc.integer({ min: -9, max: 9 }).map((by) => (count: number) => move(by, count)),
        fc.subarray([1, 2, 3, 4]).map((ids) => () => deleted(...ids)),
        fc.constantFrom('', 'e', 'ana', 'kim', 'unknown').map((text) => () => search(text)),
        fc.constant(() => ({ type: 'sort' }) as const),
      ),
    )
    fc.assert(
      fc.property(steps, (steps) => {
        let state = read
        for (const step of steps) {
          state = done(state, step(shownIds(state).length))
          expect(state.cursor).toBeGreaterThanOrEqual(0)
          expect(state.cursor).toBeLessThan(Math.max(1, shownIds(state).length))
        }
      }),
      { seed: 1 },
    )
  })
})

describe('shownResponses', () => {
  it.each([
    ['newest', [4, 3, 2, 1]],
    ['oldest', [1, 2, 3, 4]],
    ['name', [1, 4, 2, 3]],
    ['status', [3, 1, 4, 2]],
  ] as const)('shows by %s', (sorting, ids) => {
    expect(shownIds({ ...read, sorting })).toEqual(ids)
  })

  it('leaves only what the search finds, in the order asked for', () => {
    expect(shownIds({ ...read, search: 'KIM' })).toEqual([3, 2])
    expect(shownIds({ ...read, search: 'zoe kim' })).toEqual([3])
    expect(shownIds({ ...read, search: 'kim', sorting: 'oldest' })).toEqual([2, 3])
    expect(shownIds({ ...read, search: 'unknown' })).toEqual([])
  })

  it('shows a hundred thousand that came in pages', () => {
    const pages = Array.from({ length: 500 }, (_, page) =>
      Array.from({ length: 200 }, (_, row) => testStoredRsvp(100_000 - page * 200 - row)),
    )
    const state = done(nothingRead, ...pages.map((page) => ({ type: 'read' as const, page })), { type: 'sort' })
    const shown = shownIds(state)
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([100_000, 1, 100_000])
    expect(shownIds({ ...state, search: '99999' })).toEqual([99_999])
  })
})

describe('targetsOf', () => {
  it.each([[[4, 1]], [[1]]])('returns the selected ones, %j', (ids) => {
    const state = done(read, select(...ids))
    expect(targetsOf(state, shownResponses(state))).toEqual(ids)
  })

  it('returns none that the search hides, although it is selected', () => {
    const state = done(read, select(1), search('kim'))
    expect(targetsOf(state, shownResponses(state))).not.toContain(1)
  })

  it('returns the one under the cursor, in the order shown, where none is selected', () => {
    const state = done(read, { type: 'sort' }, move(1))
    expect(targetsOf(state, shownResponses(state))).toEqual([2])
  })
})
