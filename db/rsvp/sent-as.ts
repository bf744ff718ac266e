import type { RsvpInput, StoredRsvp } from './schema.ts'

/** A stored RSVP as the form would send it. */
export function sentAs({ volunteerSignups, ...stored }: StoredRsvp) {
  return {
    ...stored,
    phone: stored.phone ?? undefined,
    message: stored.message ?? undefined,
    calendarType: stored.calendarType ?? undefined,
    familyMembers: stored.familyMembers.map(({ age, ...member }) => ({ ...member, age: age ?? undefined })),
    volunteerRoles: volunteerSignups.map(({ role }) => role.id),
  } satisfies RsvpInput
}
