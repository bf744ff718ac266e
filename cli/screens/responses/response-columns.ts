import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { familyText, rolesText, statusText } from '#db/rsvp/texts.ts'
import { displayed } from '../../output/plain-text.ts'
import type { Column } from '../../ui/fit-columns.ts'

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** The columns of a table of responses, the most important first: those on the right go where there is no room. */
export function responseColumns(): Column<StoredRsvp>[] {
  return [
    { title: 'Id', text: ({ id }) => String(id), least: 6, grow: 0, spare: true },
    { title: 'Name', text: ({ name }) => displayed(name), least: 16, grow: 3 },
    { title: 'Status', text: statusMark, least: 15, grow: 0, color: statusColor },
    { title: 'Date', text: ({ createdAt }) => days.format(new Date(createdAt)), least: 12, grow: 0 },
    { title: 'Family Members', text: (response) => displayed(familyText(response)) || '-', least: 16, grow: 3 },
    { title: 'Email', text: ({ email }) => displayed(email), least: 18, grow: 2 },
    { title: 'Volunteer Roles', text: (response) => displayed(rolesText(response)) || '-', least: 15, grow: 2 },
    { title: 'Phone', text: ({ phone }) => displayed(phone ?? '-'), least: 12, grow: 0 },
    { title: 'Message', text: ({ message }) => displayed(message ?? '-'), least: 20, grow: 3 },
  ]
}

/** By sign and word, and only then by colour. */
function statusMark(response: { attending: boolean }): string {
  return `${response.attending ? '✓' : '✗'} ${statusText(response)}`
}

function statusColor({ attending }: { attending: boolean }): string {
  return attending ? 'green' : 'red'
}
