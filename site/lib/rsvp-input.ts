import type { RsvpInput } from '#db/rsvp/schema.ts'
import type { RsvpDraft } from './rsvp-form.ts'

/**
 * What the draft sends: choices as their types, nothing else touched. Whoever does not come offers no help, and brings
 * only those of whom he says that they come all the same.
 */
export function toRsvpInput({ othersCome, ...draft }: RsvpDraft) {
  const staysAway = draft.attending === 'false'
  return {
    ...draft,
    attending: draft.attending === undefined ? undefined : !staysAway,
    familyMembers: staysAway && !othersCome ? [] : draft.familyMembers,
    volunteerRoles: staysAway ? [] : draft.volunteerRoles,
    addToCalendar: draft.calendarType !== undefined,
    website: draft.website || undefined,
  } satisfies Record<keyof RsvpInput | 'website', unknown>
}
