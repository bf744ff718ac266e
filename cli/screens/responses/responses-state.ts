import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Question } from '../../ui/question.ts'
import { asking, clamp, onSameResponse, reloaded, toggled, withoutDeleted, withRestored } from './responses-changes.ts'
import { type Mode, type ResponsesState, sortings } from './responses-model.ts'

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

/** What an action makes of the state. Pure, so that it can be read and tested without a terminal. */
export function responsesReducer(state: ResponsesState, action: ResponsesAction): ResponsesState {
  switch (action.type) {
    case 'read': {
      const newest = Math.max(state.newest, action.page[0]?.id ?? 0)
      return onSameResponse(state, { ...state, newest, responses: [...state.responses, ...action.page] })
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
