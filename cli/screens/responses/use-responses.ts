import { useEffect } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { sentencesOf } from '../../exit-code.ts'
import { restorationResult, type Written, writtenText } from '../../responses/deletion.ts'
import { edited, typed } from '../../ui/Field.tsx'
import { distanceOf, type Press, useKeys } from '../../ui/keys.ts'
import { applyKey, pasted } from '../../ui/question.tsx'
import type { Mode, ResponsesState, ResponsesStore } from './responses-state.ts'

type Write = (ids: number[], report: (done: number) => void) => Promise<Written>

export type Writes = {
  /** To look around, or to choose what to delete and then quit. */
  purpose: 'look' | 'delete'
  remove: Write
  restore: Write
  /** The user quits, or has deleted in `rsvp delete`. */
  onQuit: () => void
}

export async function removeAsked(store: ResponsesStore, { purpose, remove, onQuit }: Writes): Promise<void> {
  const deletion = await write(store, store.$state.get().asked, remove)
  if (deletion === undefined) return
  if (purpose === 'delete') return onQuit()
  const { changed, notFound, failure } = deletion
  const sentences = [
    writtenText('Deleted', deletion),
    ...(changed.length > 0 ? [`Press u to restore ${changed.length === 1 ? 'it' : 'them'}.`] : []),
    ...(failure === undefined ? [] : sentencesOf(failure)),
  ]
  store.deleted(changed, notFound, sentences.join(' '))
}

/** Restores the last deletion. */
export async function undo(store: ResponsesStore, { restore }: Writes): Promise<void> {
  const last = store.$state.get().deletions.at(-1)
  if (last === undefined) {
    return store.change({ mode: 'table', notice: 'Nothing was deleted here that u could restore.' })
  }
  const restoration = await write(store, last, restore)
  if (restoration === undefined) return
  const { changed, untouched, failure } = restoration
  const back = last.filter(({ id }) => changed.includes(id))
  const sentences = [restorationResult(back, restoration), ...(failure === undefined ? [] : sentencesOf(failure))]
  store.restored(changed, untouched, sentences.join(' '))
}

/** @returns undefined if it failed, after showing why. */
async function write(store: ResponsesStore, responses: StoredRsvp[], work: Write): Promise<Written | undefined> {
  store.enter('working')
  store.change({ progress: 0 })
  try {
    return await work(
      responses.map(({ id }) => id),
      (done) => store.change({ progress: done / responses.length }),
    )
  } catch (error) {
    store.change({ mode: 'table', notice: sentencesOf(error).join(' ') })
    return undefined
  }
}

export type Reading = {
  /** Reads the responses from the newest on; again on reload. */
  pages: () => AsyncIterable<StoredRsvp[]>
}

/** Reads the responses page by page, all of them again in each round. */
export function useReading({ pages }: Reading, { round }: ResponsesState, store: ResponsesStore): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads everything once more.
  useEffect(() => {
    let gone = false
    async function read(): Promise<void> {
      for await (const page of pages()) {
        if (gone) return
        store.read(page)
        // A database file replies at once: without a turn of the event loop in between, no key would be read.
        await new Promise(setImmediate)
      }
      if (!gone) store.change({ complete: true })
    }
    read().catch((error) => {
      if (!gone) store.change({ complete: true, notice: sentencesOf(error).join(' ') })
    })
    return () => {
      gone = true
    }
  }, [pages, round, store])
}

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
