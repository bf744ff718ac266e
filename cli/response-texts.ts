import { formatDay, formatMoment } from '#db/values/dates.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { type FieldName, fieldsIn, statusText } from '#db/values/rsvp-fields.ts'
import { deletionOf } from '#db/values/stored-rsvp.ts'
import { displayed, displayedLines, escapedJson } from './plain-text.ts'
import type { Column } from './ui/Table.tsx'

type TableColumn = Omit<Column<StoredRsvp>, 'title' | 'text'> & {
  /** By default the text of the field, or `-` if it is empty. */
  text?: (response: StoredRsvp, zone: string) => string
}

/** The most important column first: if there is no room, the last ones are left out. */
const tableColumns: Partial<Record<FieldName, TableColumn>> = {
  id: { minWidth: 6, grow: 0, optional: true },
  // The signs for a first visit and for every week stand before the name, whose end may be cut off.
  name: {
    minWidth: 16,
    grow: 3,
    text: ({ name, standing, firstVisit }) =>
      `${firstVisit ? '★ ' : ''}${standing ? '↻ ' : ''}${displayed(name) || '-'}`,
  },
  // The color repeats the sign and the word, for terminals that show it.
  attending: {
    minWidth: 15,
    grow: 0,
    color: ({ attending }) => (attending ? 'green' : 'red'),
    text: (response) => `${response.attending ? '✓' : '✗'} ${statusText(response)}`,
  },
  createdAt: { minWidth: 12, grow: 0, text: ({ createdAt }, zone) => formatDay(createdAt, zone) },
  familyMembers: { minWidth: 16, grow: 3 },
  // Without `-`, which would say of an anonymous response that no address was given.
  email: { minWidth: 18, grow: 2, text: ({ email }) => displayed(email) },
  volunteerSignups: { minWidth: 15, grow: 2 },
  serviceDate: { minWidth: 10, grow: 0 },
  phone: { minWidth: 12, grow: 0 },
  message: { minWidth: 20, grow: 3 },
}

/** @param zone the time zone for dates. */
export function responseColumns(zone: string): Column<StoredRsvp>[] {
  const fields = fieldsIn('terminal')
  return Object.entries(tableColumns).flatMap(([column, { text: ownText, ...layout }]) => {
    const field = fields.find(({ name }) => name === column)
    if (field === undefined) return []
    const textOf = (response: StoredRsvp) => displayed(field.text(response)) || '-'
    return { ...layout, title: field.title, text: (response) => ownText?.(response, zone) ?? textOf(response) }
  })
}

/** What happened to a deleted response, e.g. `Merged into 14 on Jan 5, 2025`. */
export function deletionText(response: StoredRsvp, zone: string): string {
  const day = response.deletedAt === null ? '' : formatDay(response.deletedAt, zone)
  const deletion = deletionOf(response)
  if (deletion === 'withdrawn') return `Withdrawn by the sender on ${day}`
  return deletion === 'merged' ? `Merged into ${response.mergedInto} on ${day}` : `Deleted on ${day}`
}

/** Labels and texts of the fields that are not empty, safe to print on a terminal. The message is the last field. */
export function detailsOf(response: StoredRsvp, zone: string): [string, string][] {
  const details = fieldsIn('terminal')
    .sort((one, other) => Number(one.name === 'message') - Number(other.name === 'message'))
    .map(({ name, title, text }): [string, string] => {
      const isMoment = name === 'createdAt' || name === 'changedAt'
      const shown = isMoment && text(response) !== '' ? formatMoment(text(response), zone) : text(response)
      return [title, displayedLines(shown)]
    })
    .filter(([, text]) => text !== '')
  if (response.standing) details.push(['Comes every week', 'yes'])
  if (response.firstVisit) details.push(['First visit', 'yes'])
  return details
}

/** Responses as a JSON array, one a line. */
export async function* responsesJson(pages: AsyncIterable<StoredRsvp[]>): AsyncGenerator<string> {
  let lead = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield lead + page.map((response) => escapedJson(JSON.stringify(response))).join(',\n')
    lead = ',\n'
  }
  yield lead === ',\n' ? '\n]\n' : '[]\n'
}

/** The question before responses are deleted (specification, section 5). */
export function deletionQuestion(count: number): string {
  return count === 1
    ? 'Are you sure you want to delete this RSVP?'
    : `Are you sure you want to delete ${count} selected RSVPs?`
}

/** The number that the user types to confirm. One response can be restored, so `y` is enough. */
export function numberToType(count: number): number | undefined {
  return count === 1 ? undefined : count
}

/** A question names at most this many people, because no one reads more before confirming. */
export const MAXIMUM_NAMES = 3

/** E.g. `Ana Cole, Eva Kim, Zoë Kim and 12 others`. @param count of all, if `responses` are only the first. */
export function namesText(responses: { name: string }[], count = responses.length): string {
  const names = responses.slice(0, MAXIMUM_NAMES).map(({ name }) => displayed(name))
  const others = count - names.length
  if (others === 0) return names.join(', ')
  return `${names.join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`
}
