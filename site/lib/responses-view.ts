import type { Sorting } from '#db/rsvp/list-schema.ts'

/** What the administration's table shows, as the address names it. */
export type ResponsesView = {
  /** `this`, `next`, `last`, `all` or the day of a service; for the calls always a day. */
  week?: string | undefined
  q?: string | undefined
  status?: 'attending' | 'not-attending' | undefined
  role?: string | undefined
  suspicious?: 'true' | undefined
  /** The id of a response, of which only the duplicates are shown. */
  same?: string | undefined
  sort?: Sorting | undefined
}

/** A page beside this one: it begins in front of or behind a row. */
export type PagePlace = { before: number } | { after: number }

/** The names of what an address asks for and the view could not follow, e.g. `status` of `?status=perhaps`. */
export function namesLeftOut(view: ResponsesView, searchParams: URLSearchParams): string[] {
  const names = ['week', 'q', 'status', 'role', 'suspicious', 'same', 'sort'] as const
  return names.filter((name) => {
    const asked = searchParams.get(name)?.trim() ?? ''
    // The usual order is not part of a view.
    return asked !== '' && view[name] === undefined && !(name === 'sort' && asked === 'newest')
  })
}

/** The address of a view, at its first page unless a place says otherwise. */
export function viewAddress(view: ResponsesView, place?: PagePlace): string {
  const query = queryOf({ ...view, ...place })
  return query === '' ? '/admin' : `/admin?${query}`
}

/** The address of all that a view shows, as a page to print. */
export function printAddress(view: ResponsesView): string {
  return `/api/rsvps/print?${queryOf(view)}`
}

/** The query of what the table is filtered by, for the calls that take the same. */
export function filterQuery({ sort: _, ...filter }: ResponsesView): string {
  return queryOf(filter)
}

/** Whether the table shows less than all of its week. */
export function isFiltered({ week: _, ...view }: ResponsesView): boolean {
  return filterQuery(view) !== ''
}

/** Whether it shows the duplicates of one response, and all of them. */
export function showsDuplicates({ same, ...view }: ResponsesView): boolean {
  return same !== undefined && !isFiltered(view)
}

/** The pages beside one, named by what comes there first. `undefined` where there is none. */
export function neighborsOf(
  view: ResponsesView,
  { first, last, hasPrevious, hasNext }: { first: number; last: number; hasPrevious: boolean; hasNext: boolean },
) {
  const newestFirst = (view.sort ?? 'newest') === 'newest'
  return {
    previous: hasPrevious ? viewAddress(view, newestFirst ? { after: first } : { before: first }) : undefined,
    next: hasNext ? viewAddress(view, newestFirst ? { before: last } : { after: last }) : undefined,
  }
}

function queryOf(fields: Record<string, string | number | undefined>): string {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(named.map(([name, value]) => [name, String(value)])).toString()
}
