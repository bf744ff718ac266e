import type { FieldError } from '#db/errors.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { ResponseError } from '#site/lib/request.ts'
import type { RsvpDraft } from '#site/lib/rsvp-form.ts'
import { createRsvp } from '#site/stores/rsvps.ts'
import { addErrorToast, addToast } from '#site/stores/toasts.ts'

/** What was stored, in words for the person who sent it. */
export type Recorded = { name: string; attending: boolean; family: string[]; roles: string[] }

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
  return { errors: [], failed: false, recorded: recordedOf(draft, offered) }
}

function recordedOf(draft: RsvpDraft, offered: VolunteerRole[]): Recorded {
  return {
    name: draft.name.trim(),
    attending: draft.attending === 'true',
    family: draft.familyMembers.map((member) => member.name.trim()),
    roles: offered.filter((role) => draft.volunteerRoles.includes(role.id)).map((role) => role.name),
  }
}
