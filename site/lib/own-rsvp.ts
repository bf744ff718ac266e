import type { OwnRevision } from '#db/private-link/schema.ts'
import type { ReturnedForm, RsvpDraft } from './rsvp-form.ts'

/** The form of a private link that came back without JavaScript; `revision` is what the next change is based on. */
export type ReturnedOwnForm = ReturnedForm & { revision: string }

/** The field that says what a change is based on. */
export const REVISION = 'revision'
/** The field that says which RSVP the page shows: another link may have been opened in the same browser since. */
export const LINK_MARK = 'link'

/** The form as it was filled in when this RSVP was sent. */
export function draftOf({ volunteerSignups, familyMembers, ...rsvp }: OwnRevision['rsvp']): RsvpDraft {
  return {
    name: rsvp.name,
    email: rsvp.email,
    phone: rsvp.phone ?? '',
    message: rsvp.message ?? '',
    attending: rsvp.attending ? 'true' : 'false',
    calendarType: rsvp.calendarType ?? undefined,
    othersCome: !rsvp.attending && familyMembers.length > 0,
    familyMembers: familyMembers.map(({ name, age, attending }) => ({ name, age: age ?? '', attending })),
    volunteerRoles: volunteerSignups.map(({ role }) => role.id),
    website: '',
    serviceDate: rsvp.serviceDate,
  }
}
