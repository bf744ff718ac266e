import type { RsvpBody } from '../rsvp.ts'

const TITLES = ['Name', 'Email', 'Phone', 'Message', 'Status', 'Family Members', 'Volunteer Roles', 'Date']
/** As a new database has them, the one with the id 1 first. */
const ROLES = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']
const CAME_AT = '2025-01-05T14:00:00.000Z'

/** A file for `rsvp import`, written without our own code. */
export function csvOf(bodies: RsvpBody[]): string {
  return [TITLES, ...bodies.map(cellsOf)].map((cells) => `${cells.map(quoted).join()}\r\n`).join('')
}

function cellsOf({ name, email, phone, message, attending, familyMembers, volunteerRoles }: RsvpBody): string[] {
  const members = familyMembers.map((member) => {
    const remarks = [member.age ?? '', member.attending ? '' : 'not attending'].filter((text) => text !== '')
    return remarks.length === 0 ? member.name : `${member.name} (${remarks.join(', ')})`
  })
  const status = attending ? 'Attending' : 'Not Attending'
  const roles = volunteerRoles.map((id) => ROLES[id - 1] ?? '')
  return [name, email, phone ?? '', message ?? '', status, members.join('; '), roles.join('; '), CAME_AT]
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}
