import type { Call } from '#db/operation.ts'
import { listDuplicates } from '#db/rsvp/duplicates/operations.ts'
import type { SomeDuplicates, TablePage } from '#db/rsvp/schema.ts'

/** How many people are named who sent more than one RSVP for a service; more would push the table away. */
const NAMED = 5

/** Who sent more than one RSVP for a service, or for any; with the ids of the rows of a page that are superseded. */
export async function loadDuplicates(
  week: string | undefined,
  page: TablePage | null,
  call: Call,
): Promise<SomeDuplicates & { marked: number[] }> {
  const { superseded, ...shown } = await listDuplicates({ week, limit: NAMED }, call)
  const isSuperseded = new Set(superseded)
  const ids = page?.responses.map(({ id }) => id) ?? []
  return { ...shown, marked: ids.filter((id) => isSuperseded.has(id)) }
}
