import type { FieldError } from '#db/errors.ts'
import { t } from '#site/texts/texts.ts'
import type { RsvpDraft } from './rsvp-draft.ts'
import { sessionDraft } from './session.ts'

/** A form that came back without JavaScript: everything typed, and what to correct. */
export type ReturnedForm = {
  draft: RsvpDraft
  errors: FieldError[]
  status: number
  notice?: string | undefined
  /** That of the form that was posted, where sending it once more must not store it twice. */
  formKey?: string | undefined
  /** What the next change by a private link is based on. */
  revision: string
}

/** The id of the form: some of its fields stand at the end of the page. */
export const RSVP_FORM_ID = 'rsvp-form'
/** Key in session storage: what the thank-you says, with the private link, stays in its tab until the visitor is done. */
export const RSVP_THANKS = 'rsvp-thanks'
/** Key in local storage: the RSVP that a visitor has asked this device to remember. */
export const REMEMBERED = 'rsvp-remembered'
/** The field of the form of a private link that says what a change is based on. */
export const REVISION = 'revision'
/** The field that says which RSVP the page shows: another link may have been opened in the same browser since. */
export const LINK_MARK = 'link'

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
export const emptyMember = { name: '', age: '', attending: true }

/** The form, encoded as a form post, until it is sent. */
export const rsvpDraft = sessionDraft<string>('rsvp-draft', (text) => text || undefined, String)

/** What stays beside a form that could not be sent when the notice has gone. */
export function notSent(): string {
  return t('Not sent yet. Everything you typed is still here: please submit it again.')
}
