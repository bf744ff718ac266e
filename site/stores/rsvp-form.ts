import { type MapStore, map } from 'nanostores'
import type { FieldError } from '#db/errors.ts'
import type { OfferedServices } from '#site/lib/days.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import type { RsvpDraft } from '#site/lib/rsvp-draft.ts'
import { emptyDraft } from '#site/lib/rsvp-form.ts'

/** What a form for an RSVP shows. What is typed stands in its fields, which are uncontrolled: nothing typed early is lost. */
export type RsvpForm = {
  /** What the fields contain at first. */
  draft: RsvpDraft
  errors: FieldError[]
  /** What is still said of a failed attempt when the notice has gone. */
  failed: string | undefined
  /** How many attempts have failed: each moves the focus. */
  attempts: number
  /** How many RSVPs were sent: the form is drawn anew for each. */
  round: number
  pending: boolean
  /** It was held back, because a part of it is missing. */
  warned: boolean
  /** What can be chosen; null where the server could not read it. */
  roles: RoleChoice[] | null
  services: OfferedServices | null
}

export type RsvpFormStore = MapStore<RsvpForm>

/** One for each form that is drawn: on the server a single one would pass on what a visitor typed to the next. */
export function createRsvpForm(
  offered: Pick<RsvpForm, 'roles' | 'services'>,
  typed: Partial<Pick<RsvpForm, 'draft' | 'errors'>> = {},
): RsvpFormStore {
  const { draft = emptyDraft, errors = [] } = typed
  return map({ ...offered, draft, errors, failed: undefined, attempts: 0, round: 0, pending: false, warned: false })
}

/** What stays the same does not draw the form anew: browsers would give its radio buttons a second tab stop. */
export function changeForm($form: RsvpFormStore, change: Partial<RsvpForm>): void {
  const form = $form.get()
  const isOther = Object.entries(change).some(([name, value]) => Reflect.get(form, name) !== value)
  if (isOther) $form.set({ ...form, ...change })
}

/** Leaves the messages that still hold once a field was changed: its own goes when the field is right. */
export function checkChanged($form: RsvpFormStore, found: FieldError[], changed: string | null): void {
  const { errors } = $form.get()
  const still = errors.filter(({ path }) => path !== changed || found.some((error) => error.path === path))
  changeForm($form, { errors: still })
}

/** Leaves the messages that hold when a family member goes: those behind move up. */
export function removeMember($form: RsvpFormStore, removed: number): void {
  const errors = $form.get().errors.flatMap((error) => {
    const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(error.path) ?? []
    // That there were too many is not said of those who are left.
    if (error.path === 'familyMembers') return []
    if (position === undefined || Number(position) < removed) return [error]
    return Number(position) === removed ? [] : [{ ...error, path: `familyMembers.${Number(position) - 1}.${field}` }]
  })
  changeForm($form, { errors })
}

export function failAttempt($form: RsvpFormStore, errors: FieldError[], failed?: string): void {
  changeForm($form, { errors, failed, attempts: $form.get().attempts + 1, pending: false })
}
