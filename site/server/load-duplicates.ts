import type { Call } from '#db/operation.ts'
import { listDuplicates } from '#db/rsvp/merge.ts'
import type { ShownDuplicates, TablePage } from '#db/rsvp/schema.ts'

/** How many people are named who sent more than one RSVP for a service; more would push the table away. */
const NAMED = 5

/** Who sent more than one RSVP for a service, or for any; with the ids of the rows of a page that were sent again. */
export async function loadDuplicates(
  week: string | undefined,
  page: TablePage | null,
  call: Call,
): Promise<ShownDuplicates> {
  const { superseded, newest, ...shown } = await listDuplicates({ week, limit: NAMED }, call)
  const ids = new Set(page?.responses.map(({ id }) => id))
  const isShown = (id: number) => ids.has(id)
  return { ...shown, marked: { superseded: superseded.filter(isShown), newest: newest.filter(isShown) } }
}
