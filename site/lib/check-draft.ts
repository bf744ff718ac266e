import type { FieldError } from '#db/errors.ts'
import { rsvp } from '#db/rsvp/schema.ts'
import { said } from '#site/texts/said.ts'
import type { RsvpDraft } from './rsvp-form.ts'
import { toRsvpInput } from './rsvp-input.ts'

/** Finds the errors that the server would report, by the same schema but without a call. */
export function checkDraft(draft: RsvpDraft): FieldError[] {
  const issues = rsvp.safeParse(toRsvpInput(draft)).error?.issues ?? []
  return issues.map(({ path, message }) => ({ path: path.join('.'), message: said(message) }))
}
