import type { Call } from '#db/operation.ts'
import type { CellPage, PageEnd, RsvpPage } from '#db/rsvp/list/read-page.ts'
import { type StoredRsvp, storedRsvps } from '#db/rsvp/schema.ts'
import { listCells, listRsvps } from './operations.ts'
import type { RsvpSearch } from './schema.ts'

/** The size of all pages but the first: larger, because each costs a statement, and small enough to make in 3 ms. */
const LATER_PAGES = 500

/** The first page that `listRsvps` returned, then all pages after it with the same filter. */
export function pagesFrom(first: RsvpPage, call: Call): AsyncGenerator<RsvpPage> {
  return followedBy(first, (request) => listRsvps({ ...request, limit: LATER_PAGES }, call))
}

/** The responses of these pages as an administrator reads them. */
export async function* responsesFrom(first: RsvpPage, call: Call): AsyncGenerator<StoredRsvp[]> {
  for await (const page of pagesFrom(first, call)) yield responsesOf(page)
}

/** The first page that `listCells` returned, then all pages after it with the same filter. */
export function cellsFrom(first: CellPage, call: Call): AsyncGenerator<CellPage> {
  return followedBy(first, (request) => listCells({ ...request, limit: LATER_PAGES }, call))
}

/** The responses of a page as an administrator reads them. */
export function responsesOf(page: RsvpPage): StoredRsvp[] {
  return storedRsvps.parse(JSON.parse(page.json.toString()))
}

async function* followedBy<Page extends PageEnd>(
  first: Page,
  read: (request: RsvpSearch & { before: string }) => Promise<Page>,
): AsyncGenerator<Page> {
  let page = first
  yield page
  while (page.next !== undefined) {
    page = await read({ ...first.filter, before: String(page.next) })
    yield page
  }
}
