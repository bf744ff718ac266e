import { fieldsIn } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'

const columns = fieldsIn('csv')

/** The titles of the columns. */
export const cellTitles = columns.map(({ title }) => title)

/** A response as cells of text, in the order of the CSV. */
export function cellsOf(response: StoredRsvp): string[] {
  return columns.map(({ text }) => text(response))
}
