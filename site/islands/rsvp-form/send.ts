import type { FieldError } from '#db/errors.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { type Recorded, recordedOf } from '#site/lib/recorded.ts'
import { ResponseError } from '#site/lib/request.ts'
import { type RsvpDraft, toSubmission } from '#site/lib/rsvp-form.ts'
import { createRsvp } from '#site/stores/rsvps.ts'
import { addErrorToast, addToast } from '#site/stores/toasts.ts'

let check: Promise<(draft: RsvpDraft) => FieldError[]> | undefined

/**
 * The schema weighs more than the form, so it comes with the first touch of a field. Where it cannot come, the
 * server checks alone.
 */
export function loadCheck(): Promise<(draft: RsvpDraft) => FieldError[]> {
  check ??= import('./check.ts').then(
    ({ checkDraft }) => checkDraft,
    () => () => [],
  )
  return check
}

/** Checks the draft as the server will, sends it, and tells the person how it went. */
export async function sendRsvp(
  draft: RsvpDraft,
  offered: VolunteerRole[],
): Promise<{ errors: FieldError[]; failed: boolean; recorded?: Recorded }> {
  const errors = (await loadCheck())(draft)
  if (errors.length > 0) return { errors, failed: false }
  try {
    await createRsvp(draft)
  } catch (error) {
    addErrorToast('Failed to submit RSVP. Please try again.')
    return { errors: error instanceof ResponseError ? error.fields : [], failed: true }
  }
  addToast({ title: 'RSVP Submitted', description: 'Thank you for your response!' })
  return { errors: [], failed: false, recorded: whatWasSent(draft, offered) }
}

function whatWasSent(draft: RsvpDraft, offered: VolunteerRole[]): Recorded {
  const { volunteerRoles, attending = false, ...sent } = toSubmission(draft)
  const roles = offered.filter((role) => volunteerRoles.includes(role.id)).map((role) => role.name)
  return recordedOf({ ...sent, attending, roles })
}
