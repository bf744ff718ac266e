import { edited, typed } from '../../ui/Field.tsx'
import { distanceOf, type Press, useKeys } from '../../ui/keys.ts'
import { applyKey, pasted } from '../../ui/question.tsx'
import type { Mode, ResponsesStore } from './responses-state.ts'

type Keys = {
  store: ResponsesStore
  /** How many rows a page has. */
  height: number
  /** Whether the question receives keys yet. */
  hears: () => boolean
  onUnheard: () => void
  onDelete: () => void
  onUndo: () => void
  onQuit: () => void
}

/** Handles each key by the current mode. Pasted text goes to the question or the search, and never counts as keys. */
export function useResponsesKeys(keys: Keys): void {
  useKeys(
    (press) => handlers[keys.store.$state.get().mode](press, keys),
    (text) => {
      const { store, hears, onUnheard } = keys
      const { mode, question, search } = store.$state.get()
      if (mode === 'question' && !hears()) return onUnheard()
      if (question !== undefined) store.change({ question: pasted(question, text) })
      if (mode === 'table') store.enter('search')
      if (mode === 'table' || mode === 'search') store.searchFor(typed(search, text.trim()))
    },
  )
}

const handlers: Record<Mode, (press: Press, keys: Keys) => void> = {
  table({ key }, { store, height, onUndo, onQuit }) {
    const { shown, search, cursor } = store.$state.get()
    const by = distanceOf(key, height, shown.length)
    const current = shown[cursor]
    if (by !== 0) store.move(by)
    else if (key === 'escape' && search !== '') store.searchFor('')
    else if (key === 'q' || key === 'escape') onQuit()
    else if (key === '/') store.enter('search')
    else if (key === '?') store.enter('help')
    else if (key === 's') store.sort()
    else if (key === 'r') store.reload()
    else if (key === 'u') onUndo()
    else if (current === undefined) return
    else if (key === 'enter') store.enter('response')
    else if (key === ' ') store.select([current.id])
    else if (key === 'a') store.select(shown.map(({ id }) => id))
    else if (key === 'd' || key === 'delete') store.ask()
  },
  search(press, { store }) {
    const search = edited(store.$state.get().search, press)
    if (search !== undefined) store.searchFor(search)
    else if (press.key === 'enter') store.enter('table')
    else if (press.key === 'escape') {
      store.searchFor('')
      store.enter('table')
    }
  },
  response({ key }, { store }) {
    if (key === 'left') store.move(-1)
    else if (key === 'right') store.move(1)
    else if (key === 'q' || key === 'escape' || key === 'enter') store.enter('table')
    else if (key === 'd' || key === 'delete') store.ask()
    else if (key === '?') store.enter('help')
  },
  question(press, { store, hears, onUnheard, onDelete }) {
    const { question } = store.$state.get()
    if (question === undefined) return
    if (!hears() && press.key !== 'escape') return onUnheard()
    const result = applyKey(question, press)
    if (result === true) onDelete()
    else if (result === false) store.enter('table')
    else store.change({ question: result })
  },
  working() {
    // Nothing but Ctrl+C, which ends every command.
  },
  help({ key }, { store }) {
    if (['escape', 'q', '?', 'enter'].includes(key)) store.enter('table')
  },
}
