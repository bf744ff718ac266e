import { UserError } from '#db/errors.ts'
import type { RsvpInput, StoredRsvp } from './schema.ts'

/** Which state of an RSVP this is: the moment of its last change in ms, or 0 until it is changed for the first time. */
export function revisionOf({ changedAt }: Pick<StoredRsvp, 'changedAt'>): number {
  return changedAt === null ? 0 : Date.parse(changedAt)
}

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

export function noSuchRsvp(): UserError {
  return new UserError('not-found', 'There is no such response. It may have been deleted already.')
}
