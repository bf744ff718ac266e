import { type MapStore, map } from 'nanostores'
import type { FieldError } from '#db/values/errors.ts'
import type { OfferedServices } from '#site/lib/days.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import type { RsvpDraft } from '#site/lib/rsvp-draft.ts'
import { emptyDraft } from '#site/lib/rsvp-form.ts'

/** The state of an RSVP form, without its input: the fields are uncontrolled, so that nothing typed early is lost. */
export type RsvpForm = {
  /** The initial contents of the fields. */
  draft: RsvpDraft
  errors: FieldError[]
  /** Still shown after a failed attempt when the notice has gone. */
  failed: string | undefined
  /** How many attempts have failed: each moves the focus. */
  attempts: number
  /** How many RSVPs were sent: each gets new fields. */
  round: number
  pending: boolean
  /** The choices; null if the server could not read them. */
  roles: RoleChoice[] | null
  services: OfferedServices | null
}

export type RsvpFormStore = MapStore<RsvpForm>

/** One for each form: shared on the server, it would show the input of one visitor to the next. */
export function createRsvpForm(
  offered: Pick<RsvpForm, 'roles' | 'services'>,
  typed: Partial<Pick<RsvpForm, 'draft' | 'errors'>> = {},
): RsvpFormStore {
  const { draft = emptyDraft, errors = [] } = typed
  return map({ ...offered, draft, errors, failed: undefined, attempts: 0, round: 0, pending: false })
}

/** Without a difference the form is not redrawn, which would give its radio buttons a second tab stop in browsers. */
export function changeForm($form: RsvpFormStore, change: Partial<RsvpForm>): void {
  const form = $form.get()
  const isOther = Object.entries(change).some(([name, value]) => Reflect.get(form, name) !== value)
  if (isOther) $form.set({ ...form, ...change })
}

/** Drops the message of the changed field if that is right now. */
export function checkChanged($form: RsvpFormStore, found: FieldError[], changed: string | null): void {
  const { errors } = $form.get()
  const still = errors.filter(({ path }) => path !== changed || found.some((error) => error.path === path))
  changeForm($form, { errors: still })
}

/** Drops the messages of the removed family member; those behind move up. */
export function removeMember($form: RsvpFormStore, removed: number): void {
  const errors = $form.get().errors.flatMap((error) => {
    const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(error.path) ?? []
    // One fewer: there are no longer too many.
    if (error.path === 'familyMembers') return []
    if (position === undefined || Number(position) < removed) return [error]
    return Number(position) === removed ? [] : [{ ...error, path: `familyMembers.${Number(position) - 1}.${field}` }]
  })
  changeForm($form, { errors })
}

export function failAttempt($form: RsvpFormStore, errors: FieldError[], failed?: string): void {
  changeForm($form, { errors, failed, attempts: $form.get().attempts + 1, pending: false })
}
