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

/**
 * Checks the draft as the server will, sends it, and tells the person how it went.
 * @returns as `failed` what is still said of it when the notice has gone.
 */
export async function sendRsvp(
  draft: RsvpDraft,
  offered: VolunteerRole[],
): Promise<{ errors: FieldError[]; failed?: string; recorded?: Recorded }> {
  const errors = (await loadCheck())(draft)
  if (errors.length > 0) return { errors }
  try {
    await createRsvp(draft)
  } catch (error) {
    const refusal = error instanceof ResponseError ? error : undefined
    // Stored by an earlier try, and deleted since: only who knows that can say whether to send it once more.
    const deleted = refusal?.status === 409 ? refusal.detail : undefined
    addErrorToast(deleted ?? 'Failed to submit RSVP. Please try again.')
    return {
      errors: refusal?.fields ?? [],
      failed: deleted ?? 'Not sent yet. Everything you typed is still here: please submit it again.',
    }
  }
  addToast({ title: 'RSVP Submitted', description: 'Thank you for your response!' })
  return { errors: [], recorded: whatWasSent(draft, offered) }
}

function whatWasSent(draft: RsvpDraft, offered: VolunteerRole[]): Recorded {
  const { volunteerRoles, attending = false, ...sent } = toSubmission(draft)
  const roles = offered.filter((role) => volunteerRoles.includes(role.id)).map((role) => role.name)
  return recordedOf({ ...sent, attending, roles })
}
