import type { FieldError } from '#db/errors.ts'
import { rsvp } from '#db/rsvp/schema.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { ResponseError } from '#site/lib/request.ts'
import { type RsvpDraft, toSubmission } from '#site/lib/rsvp-form.ts'
import { createRsvp } from '#site/stores/rsvps.ts'
import { addErrorToast, addToast } from '#site/stores/toasts.ts'

/** What was stored, in words for the person who sent it. */
export type Recorded = {
  name: string
  attending: boolean
  family: string[]
  roles: string[]
  calendarType: string | undefined
}

/** Checks the draft as the server will, sends it, and tells the person how it went. */
export async function sendRsvp(
  draft: RsvpDraft,
  offered: VolunteerRole[],
): Promise<{ errors: FieldError[]; recorded?: Recorded }> {
  const checked = rsvp.safeParse(toSubmission(draft))
  if (!checked.success) {
    return { errors: checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) }
  }
  try {
    await createRsvp(draft)
  } catch (error) {
    addErrorToast('Failed to submit RSVP. Please try again.')
    return { errors: error instanceof ResponseError ? error.fields : [] }
  }
  addToast({ title: 'RSVP Submitted', description: 'Thank you for your response!' })
  const { name, attending, familyMembers, volunteerRoles, calendarType } = checked.data
  const roles = offered.filter((role) => volunteerRoles.includes(role.id)).map((role) => role.name)
  return {
    errors: [],
    recorded: { name, attending, family: familyMembers.map((member) => member.name), roles, calendarType },
  }
}
