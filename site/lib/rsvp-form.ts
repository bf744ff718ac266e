import type { FieldError } from '#db/errors.ts'

/** The form as it stands: what was typed, unchecked. The names of the fields are the same with and without JavaScript. */
export type RsvpDraft = {
  name: string
  email: string
  phone: string
  message: string
  attending: 'true' | 'false' | undefined
  calendarType: string | undefined
  /** Other family members attend although the visitor does not. */
  othersCome: boolean
  familyMembers: MemberDraft[]
  volunteerRoles: number[]
  /** Stays empty: people do not see this field. */
  website: string
  /** One of the days that were offered. */
  serviceDate: string | undefined
}
export type MemberDraft = { name: string; age: string; attending: boolean }

/** A form that came back without JavaScript: everything typed, and what to correct. */
export type ReturnedForm = {
  draft: RsvpDraft
  errors: FieldError[]
  status: number
  notice?: string
  /** That of the form that was posted, where sending it once more must not store it twice. */
  formKey?: string | undefined
}

/** The id of the form: some of its fields stand at the end of the page. */
export const RSVP_FORM_ID = 'rsvp-form'
/** Key in session storage: the form, encoded as a form post, stays in its tab until it is sent. */
export const RSVP_DRAFT = 'rsvp-draft'
/** Key in session storage: what the thank-you says, with the private link, stays in its tab until the visitor is done. */
export const RSVP_THANKS = 'rsvp-thanks'

export const emptyDraft: RsvpDraft = {
  name: '',
  email: '',
  phone: '',
  message: '',
  attending: undefined,
  calendarType: undefined,
  othersCome: false,
  familyMembers: [],
  volunteerRoles: [],
  website: '',
  serviceDate: undefined,
}
export const emptyMember: MemberDraft = { name: '', age: '', attending: true }

/** The messages that are left once a field was changed: its own goes when the field is right. */
export function stillWrong(errors: FieldError[], found: FieldError[], changed: string | null): FieldError[] {
  return errors.filter(({ path }) => path !== changed || found.some((error) => error.path === path))
}
