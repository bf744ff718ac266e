import { type MapStore, map } from 'nanostores'
import type { FieldError } from '#db/values/errors.ts'
import type { OfferedServices } from '#site/lib/days.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import type { RsvpDraft } from '#site/lib/rsvp-draft.ts'
import { keptIn } from '#site/lib/storage.ts'
import { t } from '#site/texts/texts.ts'

/** The id of the form: some of its fields are at the end of the page. */
export const RSVP_FORM_ID = 'rsvp-form'
/** Storage key of the thank-you with its private link: of the tab, or of the device if the visitor wants that. */
export const RSVP_THANKS = 'rsvp-thanks'
/** The hidden field with the initial contents of a private link's form: only fields that differ from it are changed. */
export const SHOWN = 'shown'
/** The hidden field that identifies the shown RSVP: the browser may have opened another private link since. */
export const LINK_MARK = 'link'

export const emptyDraft: RsvpDraft = {
  name: '',
  email: '',
  phone: '',
  message: '',
  attending: undefined,
  calendarType: undefined,
  othersCome: false,
  familyMembers: [],
  volunteerRoles: [],
  website: '',
  serviceDate: undefined,
  firstVisit: false,
  remind: false,
  standing: false,
  prayer: '',
  prayerAudience: '',
}
export const emptyMember = { name: '', age: '', attending: true }

/** Storage key of the unsent form, encoded as a form post. */
export const RSVP_DRAFT = 'rsvp-draft'
export const rsvpDraft = keptIn<string>('sessionStorage', RSVP_DRAFT)

/** A form that the server returns with what was typed and what to correct, to a browser without JavaScript. */
export type ReturnedForm = {
  draft: RsvpDraft
  errors: FieldError[]
  status: number
  notice?: string | undefined
  /** The key of the posted form, if sending it again must not store it twice. */
  formKey?: string | undefined
  /** False if only a button of a private link's page was pressed. */
  hasFields: boolean
  shown?: string | undefined
}

/** The state of an RSVP form, without its input: the fields are uncontrolled, to keep what is typed before hydration. */
export type RsvpForm = {
  /** The initial contents of the fields. */
  draft: RsvpDraft
  errors: FieldError[]
  /** Why the last attempt failed, if it did. */
  failed: string | undefined
  /** The number of failed attempts. Each moves the focus. */
  attempts: number
  /** The number of sent RSVPs. Each gets new fields. */
  round: number
  pending: boolean
  /** The choices; null if the server could not read them. */
  roles: RoleChoice[] | null
  services: OfferedServices | null
}

export type RsvpFormStore = MapStore<RsvpForm>

/** Each form has a store of its own: the server would show a shared one to the next visitor. */
export function createRsvpForm(
  offered: Pick<RsvpForm, 'roles' | 'services'>,
  { draft = emptyDraft, errors = [] }: Partial<Pick<RsvpForm, 'draft' | 'errors'>> = {},
): RsvpFormStore {
  return map({ ...offered, draft, errors, failed: undefined, attempts: 0, round: 0, pending: false })
}

/** Sets only what differs: after every new render, browsers give the radio buttons a second tab stop. */
export function changeForm($form: RsvpFormStore, change: Partial<RsvpForm>): void {
  const form = $form.get()
  const isChanged = Object.entries(change).some(([name, value]) => Reflect.get(form, name) !== value)
  if (isChanged) $form.set({ ...form, ...change })
}

/** Removes the error of the changed field if the field is now valid. @param current the errors of all fields now. */
export function checkChanged($form: RsvpFormStore, current: FieldError[], changed: string | null): void {
  const { errors } = $form.get()
  const remaining = errors.filter(({ path }) => path !== changed || current.some((error) => error.path === path))
  changeForm($form, { errors: remaining })
}

/** Removes the errors of a removed family member and renumbers those of the following members. */
export function removeMember($form: RsvpFormStore, removed: number): void {
  const errors = $form.get().errors.flatMap((error) => {
    // There are no longer too many family members.
    if (error.path === 'familyMembers') return []
    const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(error.path) ?? []
    if (position === undefined || Number(position) < removed) return [error]
    return Number(position) === removed ? [] : [{ ...error, path: `familyMembers.${Number(position) - 1}.${field}` }]
  })
  changeForm($form, { errors })
}

export function failAttempt($form: RsvpFormStore, errors: FieldError[], failed?: string): void {
  changeForm($form, { errors, failed, attempts: $form.get().attempts + 1, pending: false })
}

/** Shown in a form that could not be sent, also after the notice has disappeared. */
export function notSent(): string {
  return t('Not sent yet. Everything you typed is still here: please submit it again.')
}
