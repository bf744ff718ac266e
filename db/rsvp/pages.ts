import type { Call } from '../operation.ts'
import { listRsvps, type RsvpPage } from './operations.ts'
import { type RsvpFilter, type StoredRsvp, storedRsvps } from './schema.ts'

/** All pages of JSON after the first, and the first: the filter must be the one that the first was asked with. */
export async function* pagesFrom(first: RsvpPage, filter: RsvpFilter, call: Call): AsyncGenerator<RsvpPage> {
  let page = first
  yield page
  while (page.next !== undefined) {
    page = await listRsvps({ ...filter, before: String(page.next) }, call)
    yield page
  }
}

/** The responses of a page as an administrator reads them. */
export function responsesOf(page: RsvpPage): StoredRsvp[] {
  return storedRsvps.parse(JSON.parse(page.json))
}
