import type { RemovedField } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'

/** Replaces a name. */
export const ANONYMOUS = 'Anonymous'

/** The values of anonymized fields. Not of the family members, which are rows of their own. */
export const removed = { name: ANONYMOUS, email: '', phone: null, message: null } satisfies Partial<StoredRsvp> &
  Record<Exclude<RemovedField, 'familyMembers'>, unknown>

/** Whether nothing of a response would identify a person, so that it counts as anonymized. */
export function isAnonymous({ name, email, phone, message }: Partial<Record<keyof typeof removed, unknown>>): boolean {
  return name === removed.name && !email && !phone && !message
}
