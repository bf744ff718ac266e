import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { questionFor } from '../../ui/question.ts'
import type { ResponsesState } from './responses-model.ts'
import { shownResponses } from './shown-responses.ts'

// What the larger actions make of the state.

/** Where more are read into another order than the newest first, the cursor stays on its response. */
export function onSameResponse(before: ResponsesState, after: ResponsesState): ResponsesState {
  return after.sorting === 'newest' ? after : withCursorOf(before, after)
}

function withCursorOf(before: ResponsesState, after: ResponsesState): ResponsesState {
  const current = shownResponses(before)[before.cursor]
  const shown = shownResponses(after)
  const position = shown.findIndex(({ id }) => id === current?.id)
  return { ...after, cursor: position === -1 ? clamp(before.cursor, shown.length) : position }
}

export function asking(state: ResponsesState, ids: number[]): ResponsesState {
  const meant = new Set(ids)
  const asked = state.responses.filter(({ id }) => meant.has(id))
  if (asked.length === 0) return state
  const question = questionFor(asked.length === 1 ? undefined : asked.length)
  return { ...state, mode: 'question', asked, question, notice: '' }
}

/** Closes the open response if it is gone by now. */
export function reloaded(state: ResponsesState, responses: StoredRsvp[]): ResponsesState {
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

export function withoutDeleted(
  state: ResponsesState,
  { ids, missing = [], notice }: { ids: number[]; missing?: number[]; notice: string },
): ResponsesState {
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

export function withRestored(
  state: ResponsesState,
  { ids, left = [], notice }: { ids: number[]; left?: number[]; notice: string },
): ResponsesState {
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

export function toggled(selected: ReadonlySet<number>, ids: number[]): ReadonlySet<number> {
  const all = ids.every((id) => selected.has(id))
  const next = new Set(selected)
  for (const id of ids) {
    if (all) next.delete(id)
    else next.add(id)
  }
  return next
}

export function clamp(position: number, count: number): number {
  return Math.max(0, Math.min(position, count - 1))
}
