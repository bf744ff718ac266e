import type { StoredRsvp } from '#db/rsvp/schema.ts'

/** What the visitor is told about the stored RSVP: the names of those who are coming, and the names of the roles. */
export type Recorded = { name: string; attending: boolean; coming: string[]; roles: string[] }

type Sent = {
  name: string
  attending: boolean
  familyMembers: { name: string; attending: boolean }[]
  roles: string[]
}

/** The roles are left out if the visitor is not coming. */
export function recordedOf({ name, attending, familyMembers, roles }: Sent): Recorded {
  const household = [{ name, attending }, ...familyMembers]
  const coming = household.filter((person) => person.attending).map((person) => person.name.trim())
  return { name: name.trim(), attending, coming, roles: attending ? roles : [] }
}

/** The same for a stored RSVP: for the page that thanks without JavaScript. */
export function recordedOfStored({ volunteerSignups, ...rsvp }: StoredRsvp): Recorded {
  return recordedOf({ ...rsvp, roles: volunteerSignups.map(({ role }) => role.name) })
}
