import { type FieldName, fieldsIn } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { formatMoment } from '#db/values/dates.ts'
import { displayedLines } from '../output/plain-text.ts'

/** The first and the last details; all others come between them, in their order. */
const first: FieldName[] = ['id', 'name', 'attending']
const last: FieldName[] = ['createdAt', 'changedAt', 'suspicion', 'message']

/** Every known detail of a response, as label and text that is safe on a terminal. */
export function detailsOf(response: StoredRsvp, zone: string): [string, string][] {
  const details = fieldsIn('terminal')
    .sort((one, other) => rank(one.name) - rank(other.name))
    .map(({ name, title, text }): [string, string] => [
      title,
      isMoment(name) && text(response) !== '' ? formatMoment(text(response), zone) : text(response),
    ])
  return details.filter(([, text]) => text !== '').map(([label, text]) => [label, displayedLines(text)])
}

function isMoment(name: FieldName): boolean {
  return name === 'createdAt' || name === 'changedAt'
}

function rank(name: FieldName): number {
  if (first.includes(name)) return first.indexOf(name)
  return first.length + 1 + last.indexOf(name)
}
