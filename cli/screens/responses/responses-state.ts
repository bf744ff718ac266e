import { atom } from 'nanostores'
import { sortByName } from '#db/rsvp/names.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { matching } from '#db/rsvp/search.ts'
import { type Question, questionFor } from '../../ui/question.tsx'

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
  /** How much of a write is done, from 0 to 1. */
  progress: number
  /** Deletions that can be undone, the last one at the end. */
  deletions: StoredRsvp[][]
  notice: string
}

/** The state before anything is read. @public for its tests. */
export const nothingRead: ResponsesState = {
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
  progress: 0,
  deletions: [],
  notice: '',
}

export type ResponsesStore = ReturnType<typeof createResponses>

/** The state of the screen and its changes, apart from the terminal so that they can be tested without one. */
export function createResponses() {
  const $state = atom(nothingRead)

  function change(part: Partial<ResponsesState>): void {
    $state.set(changed($state.get(), part))
  }

  /** To the first response of that kind; `changed` keeps the cursor within the list. */
  function moveTo(isMeant: (response: StoredRsvp) => boolean): void {
    change({ cursor: $state.get().shown.findIndex(isMeant) })
  }

  return {
    $state,
    change,

    /** The cursor stays on its response. */
    read(page: StoredRsvp[]): void {
      const before = $state.get()
      const current = before.shown[before.cursor]
      change({ responses: [...before.responses, ...page] })
      moveTo(({ id }) => id === current?.id)
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
      const meant = new Set(chosen.length > 0 ? chosen : shown.slice(cursor, cursor + 1))
      const asked = responses.filter((response) => meant.has(response))
      if (asked.length === 0) return
      change({
        mode: 'question',
        asked,
        question: questionFor(asked.length === 1 ? undefined : asked.length),
        notice: '',
      })
    },

    /** @param missing those that were gone already. */
    deleted(ids: number[], missing: number[], notice: string): void {
      const state = $state.get()
      const [deleted, gone] = [new Set(ids), new Set([...ids, ...missing])]
      const taken = state.responses.filter(({ id }) => deleted.has(id))
      change({
        mode: 'table',
        question: undefined,
        notice,
        responses: state.responses.filter(({ id }) => !gone.has(id)),
        selected: new Set([...state.selected].filter((id) => !gone.has(id))),
        deletions: taken.length > 0 ? [...state.deletions, taken] : state.deletions,
      })
    },

    /** @param left those of the last deletion that were not reached, and can still be restored. */
    restored(ids: number[], left: number[], notice: string): void {
      const state = $state.get()
      const restored = new Set(ids)
      const last = state.deletions.at(-1) ?? []
      const unreached = last.filter(({ id }) => left.includes(id))
      const responses = [
        ...state.responses.filter(({ id }) => !restored.has(id)),
        ...last.filter(({ id }) => restored.has(id)),
      ].toSorted((a, b) => b.id - a.id)
      change({
        mode: 'table',
        notice,
        responses,
        deletions: [...state.deletions.slice(0, -1), ...(unreached.length > 0 ? [unreached] : [])],
      })
      moveTo(({ id }) => restored.has(id))
    },
  }
}

/** Searches and sorts again only if necessary: a key press must not sort a hundred thousand names. */
function changed(before: ResponsesState, part: Partial<ResponsesState>): ResponsesState {
  const after = { ...before, ...part }
  const { responses, search, sorting } = after
  const isSame = responses === before.responses && search === before.search && sorting === before.sorting
  const shown = isSame ? before.shown : shownResponses(after)
  return { ...after, shown, cursor: Math.max(0, Math.min(after.cursor, shown.length - 1)) }
}

const comparisons: Record<Exclude<Sorting, 'newest' | 'name'>, (a: StoredRsvp, b: StoredRsvp) => number> = {
  oldest: (a, b) => a.id - b.id,
  status: (a, b) => Number(b.attending) - Number(a.attending),
}

function shownResponses({ responses, search, sorting }: ResponsesState): StoredRsvp[] {
  const found = search.trim() === '' ? responses : responses.filter(matching(search))
  if (sorting === 'newest') return found
  if (sorting === 'name') return sortByName(found)
  return found.toSorted((a, b) => comparisons[sorting](a, b) || b.id - a.id)
}
