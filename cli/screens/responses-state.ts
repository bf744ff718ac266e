import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { matches } from '#db/rsvp/search.ts'

const sortings = ['newest', 'oldest', 'name', 'status'] as const
type Sorting = (typeof sortings)[number]

/** What is going on: looking at the table, typing a search, reading one response, being asked, or deleting. */
export type Mode = 'table' | 'search' | 'response' | 'question' | 'deleting'

export type ResponsesState = {
  responses: StoredRsvp[]
  /** False while more of them are being read. */
  complete: boolean
  mode: Mode
  search: string
  sorting: Sorting
  /** Position of the cursor among the responses shown. */
  cursor: number
  selected: ReadonlySet<number>
  /** The ids that the question is about: what was asked is what is deleted, whatever comes meanwhile. */
  asked: number[]
  notice: string
}

export type ResponsesAction =
  | { type: 'read'; page: StoredRsvp[] }
  | { type: 'complete' }
  | { type: 'unreadable'; notice: string }
  | { type: 'move'; by: number; count: number }
  /** Selects these, or none of them if all are selected already. */
  | { type: 'select'; ids: number[] }
  | { type: 'sort' }
  | { type: 'search'; text: string }
  | { type: 'mode'; mode: Exclude<Mode, 'question'> }
  | { type: 'ask'; ids: number[] }
  | { type: 'deleted'; ids: number[]; notice: string }
  | { type: 'failed'; notice: string }

export const nothingRead: ResponsesState = {
  responses: [],
  complete: false,
  mode: 'table',
  search: '',
  sorting: 'newest',
  cursor: 0,
  selected: new Set(),
  asked: [],
  notice: '',
}

/** What an action makes of the state. Pure, so that it can be read and tested without a terminal. */
export function responsesReducer(state: ResponsesState, action: ResponsesAction): ResponsesState {
  switch (action.type) {
    case 'read':
      return onSameResponse(state, { ...state, responses: [...state.responses, ...action.page] })
    case 'complete':
      return { ...state, complete: true }
    case 'unreadable':
      return { ...state, complete: true, notice: action.notice }
    case 'move':
      return { ...state, notice: '', cursor: clamp(state.cursor + action.by, action.count) }
    case 'select':
      return { ...state, selected: toggled(state.selected, action.ids) }
    case 'sort': {
      const next = sortings[(sortings.indexOf(state.sorting) + 1) % sortings.length] ?? 'newest'
      return { ...state, sorting: next, cursor: 0 }
    }
    case 'search':
      return { ...state, search: action.text, cursor: 0 }
    case 'mode':
      return { ...state, mode: action.mode, notice: '' }
    case 'ask':
      return action.ids.length === 0 ? state : { ...state, mode: 'question', asked: action.ids, notice: '' }
    case 'deleted':
      return withoutDeleted(state, action)
    case 'failed':
      return { ...state, mode: 'table', notice: action.notice }
  }
}

/** The responses that the search leaves, in the order asked for. */
export function shownResponses({
  responses,
  search,
  sorting,
}: Pick<ResponsesState, 'responses' | 'search' | 'sorting'>): StoredRsvp[] {
  const found = search.trim() === '' ? responses : responses.filter((response) => matches(response, search))
  if (sorting === 'newest') return found
  return found.toSorted((a, b) => comparisons[sorting](a, b) || b.id - a.id)
}

/** The same, remembered while what it depends on stays: a key must not sort a hundred thousand names again. */
export function rememberedShown(): typeof shownResponses {
  let before: Parameters<typeof shownResponses>[0] | undefined
  let shown: StoredRsvp[] = []
  return (state) => {
    const { responses, search, sorting } = state
    const same = before?.responses === responses && before.search === search && before.sorting === sorting
    if (!same) shown = shownResponses(state)
    before = { responses, search, sorting }
    return shown
  }
}

/**
 * The ids that a deletion is about: the open response, or those that are selected, or the one under the cursor. What
 * a search hides is never meant.
 */
export function targetsOf({ mode, selected, cursor }: ResponsesState, shown: StoredRsvp[]): number[] {
  const chosen = mode === 'response' ? [] : shown.filter(({ id }) => selected.has(id))
  return (chosen.length > 0 ? chosen : shown.slice(cursor, cursor + 1)).map(({ id }) => id)
}

const names = new Intl.Collator('en')

const comparisons: Record<Exclude<Sorting, 'newest'>, (a: StoredRsvp, b: StoredRsvp) => number> = {
  oldest: (a, b) => a.id - b.id,
  name: (a, b) => names.compare(a.name, b.name),
  status: (a, b) => Number(b.attending) - Number(a.attending),
}

/** Where more are read into another order than the newest first, the cursor stays on its response. */
function onSameResponse(before: ResponsesState, after: ResponsesState): ResponsesState {
  if (after.sorting === 'newest') return after
  const current = shownResponses(before)[before.cursor]
  const position = shownResponses(after).findIndex(({ id }) => id === current?.id)
  return position === -1 ? after : { ...after, cursor: position }
}

function withoutDeleted(state: ResponsesState, { ids, notice }: { ids: number[]; notice: string }): ResponsesState {
  const gone = new Set(ids)
  const next: ResponsesState = {
    ...state,
    mode: 'table',
    notice,
    responses: state.responses.filter(({ id }) => !gone.has(id)),
    selected: new Set([...state.selected].filter((id) => !gone.has(id))),
  }
  return { ...next, cursor: clamp(next.cursor, shownResponses(next).length) }
}

function toggled(selected: ReadonlySet<number>, ids: number[]): ReadonlySet<number> {
  const all = ids.every((id) => selected.has(id))
  const next = new Set(selected)
  for (const id of ids) {
    if (all) next.delete(id)
    else next.add(id)
  }
  return next
}

function clamp(position: number, count: number): number {
  return Math.max(0, Math.min(position, count - 1))
}
