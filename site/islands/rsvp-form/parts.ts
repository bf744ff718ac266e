import { followArrowKeys } from '#site/lib/arrow-keys.ts'
import { checkDraft, readForm } from '#site/lib/rsvp-draft.ts'
import { followForm, restoreForm, showConfirmedDays, submitForm } from '#site/stores/submit-form.ts'
import { beginAgain, followRemembered } from './follow-remembered.ts'
import { MissingPart, SentRsvps } from './SentRsvps.tsx'

/** What the form needs once a field is touched: larger than the form itself, most of it for the rules of its fields. */
export const parts = {
  checkDraft,
  readForm,
  followForm,
  restoreForm,
  showConfirmedDays,
  submitForm,
  beginAgain,
  MissingPart,
  SentRsvps,
}

followRemembered()
followArrowKeys()
