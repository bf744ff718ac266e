import { followArrowKeys } from '#site/lib/arrow-keys.ts'
import { checkDraft } from '#site/lib/check-draft.ts'
import { readForm } from '#site/lib/read-form.ts'
import { withoutMember } from '#site/lib/without-member.ts'
import { listConfirmedDays } from '#site/stores/service-days.ts'
import { submitRsvp } from '#site/stores/submit-rsvp.ts'
import { restoreDraft } from './draft.ts'
import { focusFailure } from './focus-failure.ts'
import { follow } from './follow.ts'
import { beginAgain, followRemembered } from './follow-remembered.ts'
import { MissingPart } from './MissingPart.tsx'
import { SentRsvps } from './SentRsvps.tsx'

/** What the form needs once a field is touched: larger than the form itself, most of it for the rules of its fields. */
export const parts = {
  checkDraft,
  readForm,
  submitRsvp,
  beginAgain,
  listConfirmedDays,
  follow,
  restoreDraft,
  focusFailure,
  withoutMember,
  MissingPart,
  SentRsvps,
}

followRemembered()
followArrowKeys()
