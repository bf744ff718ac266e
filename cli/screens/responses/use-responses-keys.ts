import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { edited, type TextField, typed } from '../../ui/Field.tsx'
import { type Press, useKeys } from '../../ui/keys.ts'
import { applyKey, pasted } from '../../ui/question.tsx'

import { type Mode, type ResponsesAction, type ResponsesState, targetsOf } from './responses-state.ts'

type Keys = {
  state: ResponsesState
  shown: StoredRsvp[]
  /** How many rows a page has. */
  height: number
  dispatch: (action: ResponsesAction) => void
  /** Whether the question receives keys yet. */
  hears: () => boolean
  onUnheard: () => void
  onDelete: () => void
  onUndo: () => void
  onQuit: () => void
}

/** What each key does, by what is going on when it is pressed. What is pasted is text, for a question or to search for, and never a key. */
export function useResponsesKeys(now: () => Keys): void {
  useKeys(
    (press) => {
      const keys = now()
      handlers[keys.state.mode](press, keys)
    },
    (text) => {
      const { state, dispatch, hears, onUnheard } = now()
      if (state.mode === 'question' && !hears()) return onUnheard()
      if (state.question !== undefined) dispatch({ type: 'input', question: pasted(state.question, text) })
      if (state.mode === 'table') dispatch({ type: 'mode', mode: 'search' })
      if (state.mode === 'table' || state.mode === 'search') search(typed(fieldOf(state), text.trim()), dispatch)
    },
  )
}

const handlers: Record<Mode, (press: Press, keys: Keys) => void> = {
  table({ key }, { state, shown, height, dispatch, onUndo, onQuit }) {
    const count = shown.length
    const distances: Record<string, number> = {
      up: -1,
      k: -1,
      down: 1,
      j: 1,
      pageUp: -height,
      pageDown: height,
      home: -count,
      g: -count,
      end: count,
      G: count,
    }
    const by = distances[key] ?? 0
    const current = shown[state.cursor]
    if (by !== 0) dispatch({ type: 'move', by, count })
    else if (key === 'escape' && state.search !== '') dispatch({ type: 'search', text: '' })
    else if (key === 'q' || key === 'escape') onQuit()
    else if (key === '/') dispatch({ type: 'mode', mode: 'search' })
    else if (key === '?') dispatch({ type: 'mode', mode: 'help' })
    else if (key === 's') dispatch({ type: 'sort' })
    else if (key === 'r') dispatch({ type: 'reload' })
    else if (key === 'u') onUndo()
    else if (current === undefined) return
    else if (key === 'enter') dispatch({ type: 'mode', mode: 'response' })
    else if (key === ' ') dispatch({ type: 'select', ids: [current.id] })
    else if (key === 'a') dispatch({ type: 'select', ids: shown.map(({ id }) => id) })
    else if (key === 'd' || key === 'delete') dispatch({ type: 'ask', ids: targetsOf(state, shown) })
  },
  search(press, { state, dispatch }) {
    const field = edited(fieldOf(state), press)
    if (field !== undefined) search(field, dispatch)
    else if (press.key === 'enter') dispatch({ type: 'mode', mode: 'table' })
    else if (press.key === 'escape') {
      dispatch({ type: 'search', text: '' })
      dispatch({ type: 'mode', mode: 'table' })
    }
  },
  response({ key }, { state, shown, dispatch }) {
    const by = key === 'left' ? -1 : key === 'right' ? 1 : 0
    if (by !== 0) dispatch({ type: 'move', by, count: shown.length })
    else if (key === 'q' || key === 'escape' || key === 'enter') dispatch({ type: 'mode', mode: 'table' })
    else if (key === 'd' || key === 'delete') dispatch({ type: 'ask', ids: targetsOf(state, shown) })
    else if (key === '?') dispatch({ type: 'mode', mode: 'help' })
  },
  question(press, { state: { question }, dispatch, hears, onUnheard, onDelete }) {
    if (question === undefined) return
    if (!hears() && press.key !== 'escape') return onUnheard()
    const result = applyKey(question, press)
    if (result === true) onDelete()
    else if (result === false) dispatch({ type: 'mode', mode: 'table' })
    else dispatch({ type: 'input', question: result })
  },
  working() {
    // Nothing but Ctrl+C, which ends every command.
  },
  help({ key }, { dispatch }) {
    if (['escape', 'q', '?', 'enter'].includes(key)) dispatch({ type: 'mode', mode: 'table' })
  },
}

function fieldOf({ search, searchCursor }: ResponsesState): TextField {
  return { text: search, cursor: searchCursor }
}

function search({ text, cursor }: TextField, dispatch: Keys['dispatch']): void {
  dispatch({ type: 'search', text, cursor })
}
