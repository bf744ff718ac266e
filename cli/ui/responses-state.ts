import { atom } from 'nanostores'
import { sortByName } from '#db/rsvp/names.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { matching } from '#db/rsvp/search.ts'
import { sentencesOf } from '../exit-code.ts'
import { counted } from '../output.ts'
import { namesText } from '../responses.ts'
import { edited, typed } from './Field.tsx'
import { distanceOf, type Press } from './keys.ts'
import { applyKey, newQuestion, numberToType, type Question } from './Question.tsx'

const sortings = ['newest', 'oldest', 'name', 'status'] as const

type Sorting = (typeof sortings)[number]

export type Mode = 'table' | 'search' | 'response' | 'question' | 'working' | 'help'

export type ResponsesState = {
  responses: StoredRsvp[]
  /** Those that match the search, sorted. */
  shown: StoredRsvp[]
  /** False while more of them are being read. */
  complete: boolean
  /** How many times a reload was requested. */
  round: number
  mode: Mode
  search: string
  sorting: Sorting
  /** Position of the cursor among the responses shown. */
  cursor: number
  selected: ReadonlySet<number>
  /** What the question is about: exactly these are deleted, whatever arrives in the meantime. */
  asked: StoredRsvp[]
  question: Question | undefined
  /** Deletions that can be undone, the last one at the end. */
  deletions: StoredRsvp[][]
  notice: string
}

/** Both return the ids that they found. */
export type Writes = {
  remove: (ids: number[]) => Promise<number[]>
  restore: (ids: number[]) => Promise<number[]>
}

const nothingRead: ResponsesState = {
  responses: [],
  shown: [],
  complete: false,
  round: 0,
  mode: 'table',
  search: '',
  sorting: 'newest',
  cursor: 0,
  selected: new Set(),
  asked: [],
  question: undefined,
  deletions: [],
  notice: '',
}

export type ResponsesStore = ReturnType<typeof createResponses>

/** The state of the screen, and what changes it. */
export function createResponses({ remove, restore }: Writes) {
  const $state = atom(nothingRead)

  function change(part: Partial<ResponsesState>): void {
    $state.set(changed($state.get(), part))
  }

  /** To the first response of that kind; `changed` keeps the cursor within the list. */
  function moveTo(isWanted: (response: StoredRsvp) => boolean): void {
    change({ cursor: $state.get().shown.findIndex(isWanted) })
  }

  /** Takes no keys until it is done. @returns the ids that were found; undefined if it failed, after showing why. */
  async function write(work: Writes['remove'], responses: StoredRsvp[]): Promise<Set<number> | undefined> {
    change({ mode: 'working', question: undefined, notice: '' })
    try {
      return new Set(await work(responses.map(({ id }) => id)))
    } catch (error) {
      change({ notice: sentencesOf(error).join(' ') })
      return undefined
    } finally {
      change({ mode: 'table' })
    }
  }

  return {
    $state,
    change,

    /** The cursor stays on its response. */
    read(page: StoredRsvp[]): void {
      const { shown, cursor, responses } = $state.get()
      change({ responses: [...responses, ...page] })
      moveTo(({ id }) => id === shown[cursor]?.id)
    },

    /** Reads everything again. */
    reload(): void {
      const { round, search, sorting, deletions } = $state.get()
      $state.set({ ...nothingRead, round: round + 1, search, sorting, deletions })
    },

    move(by: number): void {
      change({ notice: '', cursor: $state.get().cursor + by })
    },

    /** Selects these, or none of them if all are selected already. */
    select(ids: number[]): void {
      const { selected } = $state.get()
      const next = new Set([...selected, ...ids])
      if (next.size === selected.size) for (const id of ids) next.delete(id)
      change({ notice: '', selected: next })
    },

    sort(): void {
      const next = sortings[(sortings.indexOf($state.get().sorting) + 1) % sortings.length] ?? 'newest'
      change({ sorting: next, cursor: 0 })
    },

    searchFor(search: string): void {
      change({ search, cursor: 0 })
    },

    enter(mode: Mode): void {
      change({ mode, question: undefined, notice: '' })
    },

    /** About the open response, or those selected, or the one at the cursor; never about those that a search hides. */
    ask(): void {
      const { mode, responses, shown, selected, cursor } = $state.get()
      const chosen = mode === 'response' ? [] : shown.filter(({ id }) => selected.has(id))
      const wanted = new Set(chosen.length > 0 ? chosen : shown.slice(cursor, cursor + 1))
      const asked = responses.filter((response) => wanted.has(response))
      if (asked.length > 0)
        change({ mode: 'question', asked, question: newQuestion(numberToType(asked.length)), notice: '' })
    },

    async removeAsked(): Promise<void> {
      const { asked } = $state.get()
      const found = await write(remove, asked)
      if (found === undefined) return
      const gone = new Set(asked.map(({ id }) => id))
      const { responses, selected, deletions } = $state.get()
      change({
        responses: responses.filter(({ id }) => !gone.has(id)),
        selected: new Set([...selected].filter((id) => !gone.has(id))),
        deletions: [...deletions, asked.filter(({ id }) => found.has(id))],
        notice: `Deleted ${counted(found.size, 'response')}. Press u to restore ${found.size === 1 ? 'it' : 'them'}.`,
      })
    },

    /** Restores the last deletion. */
    async undo(): Promise<void> {
      const last = $state.get().deletions.at(-1)
      if (last === undefined) return change({ notice: 'Nothing was deleted here that u could restore.' })
      const found = await write(restore, last)
      if (found === undefined) return
      const back = last.filter(({ id }) => found.has(id))
      const { responses, deletions } = $state.get()
      change({
        responses: [...responses, ...back].toSorted((a, b) => b.id - a.id),
        deletions: deletions.slice(0, -1),
        notice: `Restored ${counted(back.length, 'response')} (${namesText(back)}).`,
      })
      moveTo(({ id }) => found.has(id))
    },
  }
}

/** Handles a key by the current mode; `height` is how many rows a page has. */
export function press(key: Press, store: ResponsesStore, height: number, onQuit: () => void): void {
  handlers[store.$state.get().mode](key, store, height, onQuit)
}

const handlers: Record<Mode, (press: Press, store: ResponsesStore, height: number, onQuit: () => void) => void> = {
  table({ key }, store, height, onQuit) {
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
    else if (key === 'u') store.undo()
    else if (current === undefined) return
    else if (key === 'enter') store.enter('response')
    else if (key === ' ') store.select([current.id])
    else if (key === 'a') store.select(shown.map(({ id }) => id))
    else if (key === 'd' || key === 'delete') store.ask()
  },
  search(press, store) {
    const search = edited(store.$state.get().search, press)
    if (search !== undefined) store.searchFor(search)
    else if (press.key === 'enter') store.enter('table')
    else if (press.key === 'escape') {
      store.searchFor('')
      store.enter('table')
    }
  },
  response({ key }, store) {
    if (key === 'left') store.move(-1)
    else if (key === 'right') store.move(1)
    else if (key === 'q' || key === 'escape' || key === 'enter') store.enter('table')
    else if (key === 'd' || key === 'delete') store.ask()
    else if (key === '?') store.enter('help')
  },
  question(press, store) {
    const { question } = store.$state.get()
    if (question === undefined) return
    const result = applyKey(question, press)
    if (result === true) store.removeAsked()
    else if (result === false) store.enter('table')
    else store.change({ question: result })
  },
  working() {
    // Nothing but Ctrl+C, which ends every command.
  },
  help({ key }, store) {
    if (['escape', 'q', '?', 'enter'].includes(key)) store.enter('table')
  },
}

/** A pasted text is searched for, and never counts as keys. */
export function paste(text: string, { $state, enter, searchFor }: ResponsesStore): void {
  const { mode, search } = $state.get()
  if (mode === 'table') enter('search')
  if (mode === 'table' || mode === 'search') searchFor(typed(search, text.trim()))
}

/** Searches and sorts again only if necessary: a key press must not sort every name. */
function changed(before: ResponsesState, part: Partial<ResponsesState>): ResponsesState {
  const after = { ...before, ...part }
  const { responses, search, sorting } = after
  const isSame = responses === before.responses && search === before.search && sorting === before.sorting
  const shown = isSame ? before.shown : shownResponses(after)
  return { ...after, shown, cursor: Math.max(0, Math.min(after.cursor, shown.length - 1)) }
}

function shownResponses({ responses, search, sorting }: ResponsesState): StoredRsvp[] {
  const found = search.trim() === '' ? responses : responses.filter(matching(search))
  if (sorting === 'oldest') return found.toReversed()
  if (sorting === 'name') return sortByName(found)
  if (sorting === 'status') return found.toSorted((a, b) => Number(b.attending) - Number(a.attending))
  return found
}
