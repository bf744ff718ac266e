import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { matches } from '#db/rsvp/search.ts'
import { type Question, questionFor } from '../../ui/question.tsx'

const sortings = ['newest', 'oldest', 'name', 'status'] as const

type Sorting = (typeof sortings)[number]

/** What is going on: looking at the table, typing a search, reading one response, being asked, or waiting for a write. */
export type Mode = 'table' | 'search' | 'response' | 'question' | 'working' | 'help'

export type ResponsesState = {
  responses: StoredRsvp[]
  /** False while more of them are being read. */
  complete: boolean
  /** How many times a reload was requested. */
  round: number
  /** The highest id that was ever read: later responses have higher ones. */
  newest: number
  /** How many responses have come in since. */
  newer: number
  mode: Mode
  search: string
  /** Position of the cursor in the search text. */
  searchCursor: number
  sorting: Sorting
  /** Position of the cursor among the responses shown. */
  cursor: number
  selected: ReadonlySet<number>
  /** What the question is about: exactly these are deleted, whatever arrives in the meantime. */
  asked: StoredRsvp[]
  question: Question | undefined
  /** What was deleted here and can be brought back, the last one at the end. */
  deletions: StoredRsvp[][]
  notice: string
}

export const nothingRead: ResponsesState = {
  responses: [],
  complete: false,
  round: 0,
  newest: 0,
  newer: 0,
  mode: 'table',
  search: '',
  searchCursor: 0,
  sorting: 'newest',
  cursor: 0,
  selected: new Set(),
  asked: [],
  question: undefined,
  deletions: [],
  notice: '',
}

export type ResponsesAction =
  | { type: 'read'; page: StoredRsvp[] }
  | { type: 'complete' }
  | { type: 'unreadable'; notice: string }
  | { type: 'reload' }
  /** Everything as it is now, after `reload`. */
  | { type: 'reloaded'; responses: StoredRsvp[] }
  | { type: 'newer'; count: number }
  | { type: 'move'; by: number; count: number }
  /** Selects these, or none of them if all are selected already. */
  | { type: 'select'; ids: number[] }
  | { type: 'sort' }
  | { type: 'search'; text: string; cursor?: number }
  | { type: 'mode'; mode: Exclude<Mode, 'question'> }
  | { type: 'ask'; ids: number[] }
  | { type: 'input'; question: Question }
  /** `missing` were gone already. */
  | { type: 'deleted'; ids: number[]; missing?: number[]; notice: string }
  /** Of the last deletion these were brought back; `left` were not reached, and can be brought back yet. */
  | { type: 'restored'; ids: number[]; left?: number[]; notice: string }
  | { type: 'told'; notice: string }

type Action<Type extends ResponsesAction['type']> = Extract<ResponsesAction, { type: Type }>

/** What an action makes of the state. Pure, so that it can be read and tested without a terminal. */
export function responsesReducer(state: ResponsesState, action: ResponsesAction): ResponsesState {
  switch (action.type) {
    case 'read': {
      const newest = Math.max(state.newest, action.page[0]?.id ?? 0)
      const after = { ...state, newest, responses: [...state.responses, ...action.page] }
      // Where more are read into another order than the newest first, the cursor stays on its response.
      return state.sorting === 'newest' ? after : withCursorOf(state, after)
    }
    case 'complete':
      return { ...state, complete: true }
    case 'unreadable':
      return { ...state, complete: true, notice: action.notice }
    case 'reload':
      return { ...state, round: state.round + 1, complete: false, notice: '' }
    case 'reloaded':
      return reloaded(state, action.responses)
    case 'newer':
      return { ...state, newer: action.count }
    case 'move':
      return { ...state, notice: '', cursor: clamp(state.cursor + action.by, action.count) }
    case 'select':
      return { ...state, notice: '', selected: toggled(state.selected, action.ids) }
    case 'sort': {
      const next = sortings[(sortings.indexOf(state.sorting) + 1) % sortings.length] ?? 'newest'
      return { ...state, sorting: next, cursor: 0 }
    }
    case 'search':
      return { ...state, search: action.text, searchCursor: action.cursor ?? action.text.length, cursor: 0 }
    case 'mode':
      return { ...state, mode: action.mode, question: undefined, notice: '' }
    case 'ask':
      return asking(state, action.ids)
    case 'input':
      return { ...state, question: action.question }
    case 'deleted':
      return withoutDeleted(state, action)
    case 'restored':
      return withRestored(state, action)
    case 'told':
      return { ...state, mode: 'table', notice: action.notice }
  }
}

// What the larger actions make of the state.

function withCursorOf(before: ResponsesState, after: ResponsesState): ResponsesState {
  const current = shownResponses(before)[before.cursor]
  const shown = shownResponses(after)
  const position = shown.findIndex(({ id }) => id === current?.id)
  return { ...after, cursor: position === -1 ? clamp(before.cursor, shown.length) : position }
}

function asking(state: ResponsesState, ids: number[]): ResponsesState {
  const meant = new Set(ids)
  const asked = state.responses.filter(({ id }) => meant.has(id))
  if (asked.length === 0) return state
  const question = questionFor(asked.length === 1 ? undefined : asked.length)
  return { ...state, mode: 'question', asked, question, notice: '' }
}

/** Closes the open response if it is gone by now. */
function reloaded(state: ResponsesState, responses: StoredRsvp[]): ResponsesState {
  const there = new Set(responses.map(({ id }) => id))
  const current = shownResponses(state)[state.cursor]
  const isReadingOn = state.mode !== 'response' || (current !== undefined && there.has(current.id))
  return withCursorOf(state, {
    ...state,
    responses,
    complete: true,
    newest: Math.max(state.newest, responses[0]?.id ?? 0),
    newer: 0,
    mode: isReadingOn ? state.mode : 'table',
    notice: isReadingOn ? state.notice : 'That response is gone: it was deleted in the meantime.',
    selected: new Set([...state.selected].filter((id) => there.has(id))),
  })
}

function withoutDeleted(state: ResponsesState, { ids, missing = [], notice }: Action<'deleted'>): ResponsesState {
  const [deleted, gone] = [new Set(ids), new Set([...ids, ...missing])]
  const taken = state.responses.filter(({ id }) => deleted.has(id))
  const next: ResponsesState = {
    ...state,
    mode: 'table',
    question: undefined,
    notice,
    responses: state.responses.filter(({ id }) => !gone.has(id)),
    selected: new Set([...state.selected].filter((id) => !gone.has(id))),
    deletions: taken.length > 0 ? [...state.deletions, taken] : state.deletions,
    round: roundAfterWrite(state),
  }
  return { ...next, cursor: clamp(next.cursor, shownResponses(next).length) }
}

function withRestored(state: ResponsesState, { ids, left = [], notice }: Action<'restored'>): ResponsesState {
  const restored = new Set(ids)
  const last = state.deletions.at(-1) ?? []
  const back = last.filter(({ id }) => restored.has(id))
  const unreached = last.filter(({ id }) => left.includes(id))
  const there = state.responses.filter(({ id }) => !restored.has(id))
  const next: ResponsesState = {
    ...state,
    mode: 'table',
    notice,
    responses: [...there, ...back].toSorted((a, b) => b.id - a.id),
    deletions: [...state.deletions.slice(0, -1), ...(unreached.length > 0 ? [unreached] : [])],
    round: roundAfterWrite(state),
  }
  const position = shownResponses(next).findIndex(({ id }) => restored.has(id))
  return { ...next, cursor: Math.max(0, position) }
}

/** What is being read again may have been read before the write: it begins once more. */
function roundAfterWrite({ round, complete }: ResponsesState): number {
  return round > 0 && !complete ? round + 1 : round
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

type Selection = Pick<ResponsesState, 'responses' | 'search' | 'sorting'>

/** The responses that the search leaves, in the order asked for. */
export function shownResponses({ responses, search, sorting }: Selection): StoredRsvp[] {
  const found = search.trim() === '' ? responses : responses.filter((response) => matches(response, search))
  if (sorting === 'newest') return found
  return found.toSorted((a, b) => comparisons[sorting](a, b) || b.id - a.id)
}

/** The same, remembered while what it depends on stays: a key must not sort a hundred thousand names again. */
export function rememberedShown(): typeof shownResponses {
  let before: Selection | undefined
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
