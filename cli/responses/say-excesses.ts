import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { listFilledRoles } from '#db/rsvp/sheet.ts'
import { dayText } from '#db/values/dates.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { excessText, listExcesses } from '#db/volunteer-role/texts.ts'
import type { Context } from '../context.ts'
import { say } from '../output/output.ts'

/** Says which roles of a response more people fill than they need: an administrator may enter more, and is told. */
export async function sayExcesses({ attending, serviceDate, volunteerSignups }: StoredRsvp, { call, io }: Context) {
  if (!attending || volunteerSignups.length === 0) return
  for (const { id, name, people, needed } of await listFilledRoles({ week: serviceDate }, call)) {
    const excess = excessText(people.length, needed)
    if (excess !== undefined && volunteerSignups.some(({ role }) => role.id === id))
      say(`${name} on ${dayText(serviceDate)}: ${excess}.`, io)
  }
}

/** The same of a role, for each of the next services. */
export function sayExcessesOf(role: OfferedRole, { io }: Context) {
  for (const { date, text } of listExcesses(role)) say(`${role.name} on ${dayText(date)}: ${text}.`, io)
}
