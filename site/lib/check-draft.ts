import type { FieldError } from '#db/errors.ts'
import { rsvp } from '#db/rsvp/schema.ts'
import { type RsvpDraft, toSubmission } from '#site/lib/rsvp-form.ts'

/** What the server would refuse, by the same schema, only sooner. */
export function checkDraft(draft: RsvpDraft): FieldError[] {
  const issues = rsvp.safeParse(toSubmission(draft)).error?.issues ?? []
  return issues.map(({ path, message }) => ({ path: path.join('.'), message }))
}
