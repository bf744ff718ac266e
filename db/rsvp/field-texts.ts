import type { StoredRsvp } from './schema.ts'

// Fields of a response in words, the same in a CSV, in a table and in a line. Visitors do not load them.

type FamilyMember = StoredRsvp['familyMembers'][number]

const calendars = { google: 'Google Calendar', ical: 'iCal' }

const suspicions = {
  'hidden-field': 'Perhaps spam: filled in what people do not see',
  'too-fast': 'Perhaps spam: sent within two seconds',
  flood: 'Perhaps spam: sent while very many were',
}

/** Between the family members and between the roles of a response. */
export const LIST_SEPARATOR = '; '

/** E.g. `Joel Cole (child); Dina Cole (adult, not attending)`. */
export function familyText({ familyMembers }: StoredRsvp): string {
  return familyMembers.map(memberText).join(LIST_SEPARATOR)
}

/** E.g. `Joel Cole (child)`. */
export function memberText(member: FamilyMember): string {
  return member.name + memberRemarks(member)
}

/** What is said of a family member behind the name, e.g. ` (child, not attending)`; empty where there is nothing. */
function memberRemarks({ age, attending }: FamilyMember): string {
  const remarks = [age, attending ? null : 'not attending'].filter((remark) => remark !== null)
  return remarks.length === 0 ? '' : ` (${remarks.join(', ')})`
}

/** E.g. `Usher; Music`. */
export function rolesText({ volunteerSignups }: StoredRsvp): string {
  return volunteerSignups.map(({ role }) => role.name).join(LIST_SEPARATOR)
}

export function calendarText({ calendarType }: Pick<StoredRsvp, 'calendarType'>): string {
  return calendarType === null ? '' : calendars[calendarType]
}

/** Why the response may be spam; empty for all others. */
export function suspicionText({ suspicion }: StoredRsvp): string {
  return suspicion === null ? '' : suspicions[suspicion]
}
