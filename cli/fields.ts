import { formatDay, formatMoment } from '#db/values/dates.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { type FieldName, fieldsIn, statusText } from '#db/values/rsvp-fields.ts'
import { deletionOf } from '#db/values/stored-rsvp.ts'
import { displayed, displayedLines } from './plain-text.ts'
import type { Column } from './ui/Table.tsx'

type Width = Omit<Column<StoredRsvp>, 'title' | 'text'>

/** The columns, the most important first: if there is no room, the last ones are left out. */
const widths: Partial<Record<FieldName, Width>> = {
  id: { least: 6, grow: 0, spare: true },
  name: { least: 16, grow: 3 },
  attending: { least: 15, grow: 0, color: ({ attending }) => (attending ? 'green' : 'red') },
  createdAt: { least: 12, grow: 0 },
  familyMembers: { least: 16, grow: 3 },
  email: { least: 18, grow: 2 },
  volunteerSignups: { least: 15, grow: 2 },
  serviceDate: { least: 10, grow: 0 },
  phone: { least: 12, grow: 0 },
  message: { least: 20, grow: 3 },
}

/** Texts of fields that differ in the table. */
const tableTexts: Partial<Record<FieldName, (response: StoredRsvp, zone: string) => string>> = {
  // Signs for a first visit and for every week, before the name because its end may be cut off.
  name: ({ name, standing, firstVisit }) => `${firstVisit ? '★ ' : ''}${standing ? '↻ ' : ''}${displayed(name) || '-'}`,
  // A sign and a word; the color only repeats them.
  attending: (response) => `${response.attending ? '✓' : '✗'} ${statusText(response)}`,
  createdAt: ({ createdAt }, zone) => formatDay(createdAt, zone),
  // Stays empty: of an anonymous response, `-` would say that none was given.
  email: ({ email }) => displayed(email),
}

/** @param zone of the moments. */
export function responseColumns(zone: string): Column<StoredRsvp>[] {
  const fields = fieldsIn('terminal')
  return Object.entries(widths).flatMap(([column, width]) =>
    fields
      .filter(({ name }) => name === column)
      .map(({ name, title, text }) => ({
        ...width,
        title,
        text: (response) => tableTexts[name]?.(response, zone) ?? (displayed(text(response)) || '-'),
      })),
  )
}

/** What happened to a deleted response, e.g. `Merged into 14 on Jan 5, 2025`. */
export function deletionText(response: StoredRsvp, zone: string): string {
  const day = response.deletedAt === null ? '' : formatDay(response.deletedAt, zone)
  const deletion = deletionOf(response)
  if (deletion === 'withdrawn') return `Withdrawn by the sender on ${day}`
  return deletion === 'merged' ? `Merged into ${response.mergedInto} on ${day}` : `Deleted on ${day}`
}

/** Every known detail of a response, as label and text that is safe on a terminal; the message is the last. */
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
