import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { calendarText, familyText, rolesText, statusText } from '#db/rsvp/texts.ts'
import { displayedLines } from './plain-text.ts'

/** Everything that is known of a response, as label and text that is safe to show; what is not known is left out. */
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
    ['Message', response.message ?? ''],
  ]
  return details.filter(([, text]) => text !== '').map(([label, text]) => [label, displayedLines(text)])
}

/** As in `Jan 5, 2025, 9:00 AM`. */
function momentText(iso: string): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  return format.format(new Date(iso))
}
