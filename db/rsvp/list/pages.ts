import type { Call } from '#db/operation.ts'
import type { RsvpPage } from '#db/rsvp/list/read-page.ts'
import { listCells, listRsvps } from '#db/rsvp/operations.ts'
import { type StoredRsvp, storedRsvps } from '#db/rsvp/schema.ts'

/** The size of all pages but the first: larger, because each costs a statement, and small enough to make in 3 ms. */
const LATER_PAGES = 500
/** The same for cells, which are half as long. */
const LATER_CELLS = 1000

/** The first page that `list` returned, then all pages after it with the same filter. */
export async function* pagesFrom(
  first: RsvpPage,
  call: Call,
  list = listRsvps,
  limit = LATER_PAGES,
): AsyncGenerator<RsvpPage> {
  let page = first
  yield page
  while (page.next !== undefined) {
    page = await list({ ...first.filter, limit, before: String(page.next) }, call)
    yield page
  }
}

/** The responses of these pages as an administrator reads them. */
export async function* responsesFrom(first: RsvpPage, call: Call): AsyncGenerator<StoredRsvp[]> {
  for await (const page of pagesFrom(first, call)) yield responsesOf(page)
}

/** The cells of the responses of these pages, which `listCells` reads. */
export async function* cellsFrom(first: RsvpPage, call: Call): AsyncGenerator<string[][]> {
  for await (const { json } of pagesFrom(first, call, listCells, LATER_CELLS)) yield JSON.parse(json.toString())
}

/** The responses of a page as an administrator reads them. */
export function responsesOf(page: RsvpPage): StoredRsvp[] {
  return storedRsvps.parse(JSON.parse(page.json.toString()))
}
