import type { StoredRsvp } from '#db/rsvp/schema.ts'

/** What was stored, in words for the person who sent it: who comes, by name, and what they offered. */
export type Recorded = { name: string; attending: boolean; coming: string[]; roles: string[] }

type Sent = {
  name: string
  attending: boolean
  familyMembers: { name: string; attending: boolean }[]
  roles: string[]
}

/** Nobody is thanked for help on a day on which he is not there. */
export function recordedOf({ name, attending, familyMembers, roles }: Sent): Recorded {
  const people = [{ name, attending }, ...familyMembers]
  const coming = people.filter((person) => person.attending).map((person) => person.name.trim())
  return { name: name.trim(), attending, coming, roles: attending ? roles : [] }
}

/** The same of what the server read: for the page that thanks without JavaScript. */
export function recordedOfStored({ volunteerSignups, ...rsvp }: StoredRsvp): Recorded {
  return recordedOf({ ...rsvp, roles: volunteerSignups.map(({ role }) => role.name) })
}
