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
  notice: string
}

export type ResponsesAction =
  | { type: 'read'; page: StoredRsvp[] }
  | { type: 'complete' }
  | { type: 'move'; by: number; count: number }
  /** Selects these, or none of them if all are selected already. */
  | { type: 'select'; ids: number[] }
  | { type: 'sort' }
  | { type: 'search'; text: string }
  | { type: 'mode'; mode: Mode }
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
  notice: '',
}

/** What an action makes of the state. Pure, so that it can be read and tested without a terminal. */
export function responsesReducer(state: ResponsesState, action: ResponsesAction): ResponsesState {
  switch (action.type) {
    case 'read':
      return { ...state, responses: [...state.responses, ...action.page] }
    case 'complete':
      return { ...state, complete: true }
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

/** The ids that a deletion is about: the selected ones, or the one under the cursor. */
export function targetsOf({ selected, cursor }: ResponsesState, shown: StoredRsvp[]): number[] {
  return selected.size > 0 ? [...selected] : shown.slice(cursor, cursor + 1).map(({ id }) => id)
}

const names = new Intl.Collator('en')

const comparisons: Record<Exclude<Sorting, 'newest'>, (a: StoredRsvp, b: StoredRsvp) => number> = {
  oldest: (a, b) => a.id - b.id,
  name: (a, b) => names.compare(a.name, b.name),
  status: (a, b) => Number(b.attending) - Number(a.attending),
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
