import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testStoredRsvp } from '#db/fixtures.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { createResponses, type Mode, nothingRead, type ResponsesState } from './responses-state.ts'

const four = [
  testStoredRsvp(4, { name: 'Élise Roux', attending: false }),
  testStoredRsvp(3, { name: 'Zoë Kim' }),
  testStoredRsvp(2, { name: 'Eva Kim', attending: false }),
  testStoredRsvp(1, { name: 'Ana Cole' }),
]

type Store = ReturnType<typeof createResponses>
type Step = (store: Store) => void

/** The state once the four are read, and then one thing after the other is done. */
function stateAfter(...steps: Step[]): ResponsesState {
  const store = createResponses()
  store.read(four)
  store.change({ complete: true })
  for (const step of steps) step(store)
  return store.$state.get()
}

const idsOf = (responses: StoredRsvp[]) => responses.map(({ id }) => id)
const selectedIn = ({ selected }: ResponsesState) => [...selected].toSorted()
const change = (part: Partial<ResponsesState>) => (store: Store) => store.change(part)
const move = (by: number) => (store: Store) => store.move(by)
const select =
  (...ids: number[]) =>
  (store: Store) =>
    store.select(ids)
const search = (text: string) => (store: Store) => store.searchFor(text)
const enter = (mode: Mode) => (store: Store) => store.enter(mode)
const gone =
  (...ids: number[]) =>
  (store: Store) =>
    store.deleted(ids, [], 'Deleted.')
const sort: Step = (store) => store.sort()
const ask: Step = (store) => store.ask()
const reload: Step = (store) => store.reload()

describe('createResponses', () => {
  it('selects all while one of them is not selected, and none of them when all are', () => {
    const all = [select(2), select(4, 3, 2)]
    expect(selectedIn(stateAfter(...all))).toEqual([2, 3, 4])
    expect(selectedIn(stateAfter(...all, select(1), select(4, 3, 2)))).toEqual([1])
  })

  it('goes from one order to the next, round and round', () => {
    const sortings = [0, 1, 2, 3, 4, 5].map((presses) => stateAfter(...Array(presses).fill(sort)).sorting)
    expect(sortings).toEqual(['newest', 'oldest', 'name', 'status', 'newest', 'oldest'])
  })

  it.each<[string, Step[], number[]]>([
    ['the selected ones', [select(4, 1)], [4, 1]],
    ['those of them that the search shows', [select(4, 3), search('kim')], [3]],
    ['the one under the cursor, in the order shown, where none is selected', [sort, move(1)], [2]],
    ['the open response, whatever is selected', [select(4, 1), move(1), enter('response')], [3]],
    ['nothing where nothing is shown', [select(1), search('unknown')], []],
  ])('asks about %s', (_, steps, ids) => {
    expect(idsOf(stateAfter(...steps, ask).asked)).toEqual(ids)
  })

  it('brings back deletion after deletion, each to its place', () => {
    const steps: Step[] = [gone(2), (store) => store.deleted([4], [1], 'Deleted.')]
    const both = stateAfter(...steps)
    expect([idsOf(both.responses), both.deletions.map(idsOf)]).toEqual([[3], [[2], [4]]])
    steps.push((store) => store.restored([4], [], 'Back.'))
    const once = stateAfter(...steps)
    expect([idsOf(once.responses), once.cursor, once.notice]).toEqual([[4, 3], 0, 'Back.'])
    const twice = stateAfter(...steps, (store) => store.restored([2], [], 'Back.'))
    expect([idsOf(twice.responses), twice.cursor, twice.deletions]).toEqual([[4, 3, 2], 2, []])
  })

  it('keeps what could not be brought back yet', () => {
    const some = stateAfter(gone(4, 3, 2), (store) => store.restored([4], [2], 'Full.'))
    expect([idsOf(some.responses), some.deletions.map(idsOf)]).toEqual([[4, 1], [[2]]])
  })

  it('begins anew with a reload, in the same order and with the same search', () => {
    const state = stateAfter(select(3), search('kim'), sort, move(1), gone(2), reload)
    expect(state).toEqual({ ...nothingRead, round: 1, search: 'kim', sorting: 'oldest', deletions: [[four[2]]] })
  })

  it('never leaves the cursor outside of what is shown, whatever is done', () => {
    const step = fc.oneof(
      fc.integer({ min: -9, max: 9 }).map(move),
      fc.subarray([1, 2, 3, 4]).map((ids) => gone(...ids)),
      fc.constantFrom('', 'e', 'ana', 'kim', 'unknown').map(search),
      fc.constant(sort),
    )
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { cursor, shown } = stateAfter(...steps)
        expect(cursor).toBeGreaterThanOrEqual(0)
        expect(cursor).toBeLessThan(Math.max(1, shown.length))
      }),
      { seed: 1 },
    )
  })
})

describe('shown', () => {
  it.each([
    ['newest', [4, 3, 2, 1]],
    ['oldest', [1, 2, 3, 4]],
    // By family name, as on the sheet.
    ['name', [1, 2, 3, 4]],
    ['status', [3, 1, 4, 2]],
  ] as const)('is sorted by %s', (sorting, ids) => {
    expect(idsOf(stateAfter(change({ sorting })).shown)).toEqual(ids)
  })

  it('is only what the search finds, in the order asked for', () => {
    expect(idsOf(stateAfter(change({ search: 'KIM' })).shown)).toEqual([3, 2])
    expect(idsOf(stateAfter(change({ search: 'zoe kim' })).shown)).toEqual([3])
    expect(idsOf(stateAfter(change({ search: 'kim', sorting: 'oldest' })).shown)).toEqual([2, 3])
    expect(idsOf(stateAfter(change({ search: 'unknown' })).shown)).toEqual([])
  })
})
