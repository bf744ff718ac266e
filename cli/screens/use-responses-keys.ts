import type { Key } from 'ink'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { displayed } from '../plain-text.ts'
import { useKeys } from '../ui/use-keys.ts'
import { type Mode, type ResponsesAction, type ResponsesState, targetsOf } from './responses-state.ts'

type Keys = {
  state: ResponsesState
  shown: StoredRsvp[]
  /** How many rows a page has. */
  height: number
  dispatch: (action: ResponsesAction) => void
  onDelete: () => void
  onQuit: () => void
}

/** What each key does, by what is going on when it is pressed. */
export function useResponsesKeys(now: () => Keys): void {
  useKeys((input, key) => {
    const keys = now()
    handlers[keys.state.mode](input, key, keys)
  })
}

const handlers: Record<Mode, (input: string, key: Key, keys: Keys) => void> = {
  table(input, key, { state, shown, height, dispatch, onQuit }) {
    const by = distance(input, key, height, shown.length)
    const current = shown[state.cursor]
    if (by !== 0) dispatch({ type: 'move', by, count: shown.length })
    else if (key.escape && state.search !== '') dispatch({ type: 'search', text: '' })
    else if (input === 'q' || key.escape) onQuit()
    else if (input === '/') dispatch({ type: 'mode', mode: 'search' })
    else if (input === 's') dispatch({ type: 'sort' })
    else if (current === undefined) return
    else if (key.return) dispatch({ type: 'mode', mode: 'response' })
    else if (input === ' ') dispatch({ type: 'select', ids: [current.id] })
    else if (input === 'a') dispatch({ type: 'select', ids: shown.map(({ id }) => id) })
    else if (input === 'd' || key.delete) dispatch({ type: 'ask', ids: targetsOf(state, shown) })
  },
  search(input, key, { state, dispatch }) {
    if (key.return) dispatch({ type: 'mode', mode: 'table' })
    else if (key.escape) {
      dispatch({ type: 'search', text: '' })
      dispatch({ type: 'mode', mode: 'table' })
    } else if (key.backspace || key.delete) {
      dispatch({ type: 'search', text: Array.from(state.search).slice(0, -1).join('') })
    } else if (!key.ctrl && !key.meta) dispatch({ type: 'search', text: state.search + displayed(input) })
  },
  response(input, key, { state, shown, dispatch }) {
    const by = key.leftArrow ? -1 : key.rightArrow ? 1 : 0
    if (by !== 0) dispatch({ type: 'move', by, count: shown.length })
    else if (input === 'q' || key.escape || key.return) dispatch({ type: 'mode', mode: 'table' })
    else if (input === 'd') dispatch({ type: 'ask', ids: targetsOf(state, shown) })
  },
  question(input, key, { dispatch, onDelete }) {
    if (input === 'y' || input === 'Y') onDelete()
    else if (input !== '' || key.return || key.escape) dispatch({ type: 'mode', mode: 'table' })
  },
  deleting() {
    // Nothing but Ctrl+C, which ends every command.
  },
}

/** How far a key moves the cursor. */
function distance(input: string, key: Key, height: number, count: number): number {
  if (key.upArrow || input === 'k') return -1
  if (key.downArrow || input === 'j') return 1
  if (key.pageUp) return -height
  if (key.pageDown) return height
  if (key.home || input === 'g') return -count
  if (key.end || input === 'G') return count
  return 0
}
