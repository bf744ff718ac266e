import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { matches } from '#db/rsvp/search.ts'
import type { ResponsesState, Sorting } from './responses-model.ts'

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

/** The same, remembered while what it depends on stays: a key must not sort a hundred thousand names again. */
export function rememberedShown(): typeof shownResponses {
  let before: Parameters<typeof shownResponses>[0] | undefined
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
