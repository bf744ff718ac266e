import type { FieldError } from '#db/values/errors.ts'
import { t } from '#site/texts/texts.ts'
import type { RsvpDraft } from './rsvp-draft.ts'
import { keptIn } from './storage.ts'

/** A form returned without JavaScript: the input, and what to correct. */
export type ReturnedForm = {
  draft: RsvpDraft
  errors: FieldError[]
  status: number
  notice?: string | undefined
  /** The key of the posted form, if sending it again must not store it twice. */
  formKey?: string | undefined
  /** Whether fields were posted, not only a button of a private link. */
  hasFields: boolean
  /** See `SHOWN`. */
  shown?: string | undefined
}

/** The id of the form: some of its fields are at the end of the page. */
export const RSVP_FORM_ID = 'rsvp-form'
/** Key in session storage, or in local storage if the visitor wants that: the thank-you with its private link. */
export const RSVP_THANKS = 'rsvp-thanks'
/** The field of a private link's form with what it showed at first: only what differs from that is changed. */
export const SHOWN = 'shown'
/** The field that identifies the shown RSVP: another link may have been opened in the same browser since. */
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
  firstVisit: false,
  remind: false,
  standing: false,
  prayer: '',
  prayerAudience: '',
}
export const emptyMember = { name: '', age: '', attending: true }

/** The unsent form, encoded as a form post. */
export const rsvpDraft = keptIn<string>('sessionStorage', 'rsvp-draft')

/** Stays beside a form that could not be sent, when the notice has gone. */
export function notSent(): string {
  return t('Not sent yet. Everything you typed is still here: please submit it again.')
}
