import { momentText } from '#db/moment.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { calendarText, familyText, rolesText, statusText, suspicionText } from '#db/rsvp/texts.ts'
import { displayedLines } from '../output/plain-text.ts'

/** Every known detail of a response, as label and text that is safe on a terminal. */
export function detailsOf(response: StoredRsvp): [string, string][] {
  const details: [string, string][] = [
    ['Id', String(response.id)],
    ['Name', response.name],
    ['Status', statusText(response)],
    ['Email', response.email],
    ['Phone', response.phone ?? ''],
    ['Family Members', familyText(response)],
    ['Volunteer Roles', rolesText(response)],
    ['Calendar', calendarText(response)],
    ['Date', momentText(response.createdAt)],
    ['Note', suspicionText(response)],
    ['Message', response.message ?? ''],
  ]
  return details.filter(([, text]) => text !== '').map(([label, text]) => [label, displayedLines(text)])
}
