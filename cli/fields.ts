import { type FieldName, fieldsIn, statusText } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { deletionOf } from '#db/rsvp/stored.ts'
import { formatDay, formatMoment } from '#db/values/dates.ts'
import { displayed, displayedLines } from './plain-text.ts'
import type { Column } from './ui/Table.tsx'

type Width = Omit<Column<StoredRsvp>, 'title' | 'text'>

/** Width of each column, the most important first: if there is no room, the last ones are left out. */
const widths: Record<FieldName, Width | 'no column'> = {
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
  changedAt: { least: 22, grow: 0 },
  addToCalendar: 'no column',
  calendarType: 'no column',
  deletedAt: 'no column',
  mergedInto: 'no column',
  standing: 'no column',
  firstVisit: 'no column',
  remind: 'no column',
  suspicion: 'no column',
}

const order = Object.keys(widths)

/** Texts of fields that differ in the table. */
const tableTexts: Partial<Record<FieldName, (response: StoredRsvp, zone: string) => string>> = {
  // Signs for a first visit and for every week, before the name because its end may be cut off.
  name: ({ name, standing, firstVisit }) => `${firstVisit ? '★ ' : ''}${standing ? '↻ ' : ''}${displayed(name) || '-'}`,
  // A sign and a word; the color only repeats them.
  attending: (response) => `${response.attending ? '✓' : '✗'} ${statusText(response)}`,
  createdAt: ({ createdAt }, zone) => formatDay(createdAt, zone),
  changedAt: ({ changedAt }, zone) => (changedAt === null ? '-' : formatMoment(changedAt, zone)),
  // Stays empty: of an anonymous response, `-` would say that none was given.
  email: ({ email }) => displayed(email),
}

/** The first and the last details; all others come between them, in their order. */
const first: FieldName[] = ['id', 'name', 'attending']
const last: FieldName[] = ['createdAt', 'changedAt', 'suspicion', 'message']

/** @param zone of the moments. */
export function responseColumns(zone: string): Column<StoredRsvp>[] {
  return fieldsIn('terminal')
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
    .flatMap(({ name, title, text }) => {
      const width = widths[name]
      const own = tableTexts[name]
      const tableText = (response: StoredRsvp) => own?.(response, zone) ?? (displayed(text(response)) || '-')
      return width === 'no column' ? [] : [{ ...width, title, text: tableText }]
    })
}

/** What happened to a deleted response, e.g. `Merged into 14 on Jan 5, 2025`. */
export function deletionText(response: StoredRsvp, zone: string): string {
  const day = response.deletedAt === null ? '' : formatDay(response.deletedAt, zone)
  const deletion = deletionOf(response)
  if (deletion === 'withdrawn') return `Withdrawn by the sender on ${day}`
  return deletion === 'merged' ? `Merged into ${response.mergedInto} on ${day}` : `Deleted on ${day}`
}

/** Every known detail of a response, as label and text that is safe on a terminal. */
export function detailsOf(response: StoredRsvp, zone: string): [string, string][] {
  const marks: [string, boolean][] = [
    ['Comes every week', response.standing],
    ['First visit', response.firstVisit],
  ]
  const details = fieldsIn('terminal')
    .sort((one, other) => rank(one.name) - rank(other.name))
    .map(({ name, title, text }): [string, string] => {
      const isMoment = name === 'createdAt' || name === 'changedAt'
      const shown = isMoment && text(response) !== '' ? formatMoment(text(response), zone) : text(response)
      return [title, displayedLines(shown)]
    })
    .filter(([, text]) => text !== '')
  return [...details, ...marks.flatMap(([label, is]): [string, string][] => (is ? [[label, 'yes']] : []))]
}

function rank(name: FieldName): number {
  if (first.includes(name)) return first.indexOf(name)
  return first.length + 1 + last.indexOf(name)
}
