import * as z from 'zod/mini'
import { tableRequest } from '#db/values/rsvp.ts'
import { weekWord } from '#db/values/services.ts'
import type { ResponsesView } from '#site/lib/admin-page.ts'

const { q, status, role, suspicious, standing, sort, page } = tableRequest.shape

/** Invalid values in an address are ignored. */
const orNothing = <Field extends z.ZodMiniType>(field: Field) => z.catch(z.optional(field), undefined)

const view = z.object({
  week: orNothing(weekWord),
  q: orNothing(q),
  status: orNothing(status),
  role: orNothing(role),
  suspicious: orNothing(suspicious),
  standing: orNothing(standing),
  sort: orNothing(sort),
})

/** The view of the table in an address. */
export function viewFrom(searchParams: URLSearchParams): ResponsesView {
  const shown = view.parse(Object.fromEntries(searchParams))
  // The default order is not in addresses.
  return { ...shown, sort: shown.sort === 'newest' ? undefined : shown.sort }
}

/** The page of the table in an address; undefined for the first page. */
export function pageFrom(searchParams: URLSearchParams): string | undefined {
  const number = orNothing(page).parse(searchParams.get('page') ?? undefined)
  return number === undefined ? undefined : String(number)
}
