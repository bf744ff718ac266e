import * as z from 'zod/mini'
import { tableRequest } from '#db/rsvp/schema.ts'
import { weekWord } from '#db/schedule/services.ts'
import type { ResponsesView } from '#site/lib/admin-page.ts'

const { q, status, role, suspicious, same, sort, before, after } = tableRequest.shape

/** Whatever makes no sense in an address is left out. */
const orNothing = <Field extends z.ZodMiniType>(field: Field) => z.catch(z.optional(field), undefined)

const view = z.object({
  week: orNothing(weekWord),
  q: orNothing(q),
  status: orNothing(status),
  role: orNothing(role),
  suspicious: orNothing(suspicious),
  same: orNothing(same),
  sort: orNothing(sort),
})
const place = z.object({ before: orNothing(before), after: orNothing(after) })

/** What an address says that the table shows. */
export function viewFrom(searchParams: URLSearchParams): ResponsesView {
  const shown = view.parse(Object.fromEntries(searchParams))
  // The address of the usual order does not name it.
  return { ...shown, sort: shown.sort === 'newest' ? undefined : shown.sort }
}

/** Which of its pages the address means. */
export function placeFrom(searchParams: URLSearchParams): { before?: string; after?: string } {
  const { before, after } = place.parse(Object.fromEntries(searchParams))
  if (before !== undefined) return { before: String(before) }
  return after === undefined ? {} : { after: String(after) }
}
