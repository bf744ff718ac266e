import { tableRequest } from '#db/rsvp/schema.ts'
import { weekWord } from '#db/schedule/services.ts'
import type { ResponsesView } from '#site/lib/admin-page.ts'

const { q, status, role, suspicious, same, sort, before, after } = tableRequest.shape

/** What an address says that the table shows; whatever makes no sense in it is left out. */
export function viewFrom(searchParams: URLSearchParams): ResponsesView {
  const read = readerOf(searchParams)
  const sorting = read('sort', sort)
  return {
    week: read('week', weekWord),
    q: read('q', q),
    status: read('status', status),
    role: read('role', role),
    suspicious: read('suspicious', suspicious),
    same: read('same', same),
    // The address of the usual order does not name it.
    sort: sorting === 'newest' ? undefined : sorting,
  }
}

/** Which of its pages the address means. */
export function placeFrom(searchParams: URLSearchParams): { before?: string; after?: string } {
  const read = readerOf(searchParams)
  if (read('before', before) !== undefined) return { before: searchParams.get('before') ?? '' }
  return read('after', after) === undefined ? {} : { after: searchParams.get('after') ?? '' }
}

type Field<Value> = { safeParse: (text: string) => { success: boolean; data?: Value } }

function readerOf(searchParams: URLSearchParams) {
  return <Value>(name: string, field: Field<Value>): Value | undefined => {
    const text = searchParams.get(name)
    return text === null ? undefined : field.safeParse(text).data
  }
}
