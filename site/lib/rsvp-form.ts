import type { FieldError } from '#db/errors.ts'
import type { RsvpInput } from '#db/rsvp/schema.ts'

/** The form as it stands: what was typed, unchecked. The names of the fields are the same with and without JavaScript. */
export type RsvpDraft = {
  name: string
  email: string
  phone: string
  message: string
  attending: 'true' | 'false' | undefined
  calendarType: string | undefined
  /** Other family members attend although the visitor does not. */
  othersCome: boolean
  familyMembers: MemberDraft[]
  volunteerRoles: number[]
  /** Stays empty: people do not see this field. */
  website: string
}
export type MemberDraft = { name: string; age: string; attending: boolean }

/** A form that came back without JavaScript: everything typed, and what to correct. */
export type ReturnedForm = {
  draft: RsvpDraft
  errors: FieldError[]
  status: number
  notice?: string
  /** That of the form that was posted, where sending it once more must not store it twice. */
  formKey?: string | undefined
}

/** The id of the form: some of its fields stand at the end of the page. */
export const RSVP_FORM_ID = 'rsvp-form'

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
}
/** Twice as many as may be sent: who typed too many gets all of them back. A browser's form never holds more. */
const ROWS_READ = 40

export const emptyMember: MemberDraft = { name: '', age: '', attending: true }

/** Reads the fields of the form, in the browser and on the server alike. */
export function readForm(fields: FormData | URLSearchParams): RsvpDraft {
  const text = (name: string) => String(fields.get(name) ?? '')
  const attending = text('attending')
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    // Without JavaScript browsers send line breaks as CRLF.
    message: text('message').replaceAll('\r\n', '\n'),
    attending: attending === 'true' || attending === 'false' ? attending : undefined,
    calendarType: text('calendarType') || undefined,
    othersCome: fields.has('othersCome'),
    familyMembers: memberPositions(fields).map((position) => ({
      name: text(`familyMembers.${position}.name`),
      age: text(`familyMembers.${position}.age`),
      attending: true,
    })),
    volunteerRoles: fields.getAll('volunteerRoles').map(Number).filter(Number.isInteger),
    website: text('website'),
  }
}

/**
 * What the draft sends: choices as their types, nothing else touched. Whoever does not come offers no help, and brings
 * only those of whom he says that they come all the same.
 */
export function toRsvpInput({ othersCome, ...draft }: RsvpDraft) {
  const staysAway = draft.attending === 'false'
  return {
    ...draft,
    attending: draft.attending === undefined ? undefined : !staysAway,
    familyMembers: staysAway && !othersCome ? [] : draft.familyMembers,
    volunteerRoles: staysAway ? [] : draft.volunteerRoles,
    addToCalendar: draft.calendarType !== undefined,
    website: draft.website || undefined,
  } satisfies Record<keyof RsvpInput | 'website', unknown>
}

/** The messages that are left once a field was changed: its own goes when the field is right. */
export function stillWrong(errors: FieldError[], found: FieldError[], changed: string | null): FieldError[] {
  return errors.filter(({ path }) => path !== changed || found.some((error) => error.path === path))
}

/** The messages that are left when a family member goes: his own go too, those behind him move up. */
export function withoutMember(errors: FieldError[], removed: number): FieldError[] {
  return errors.flatMap((error) => {
    const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(error.path) ?? []
    // That there were too many is not said of those who are left.
    if (error.path === 'familyMembers') return []
    if (position === undefined || Number(position) < removed) return [error]
    return Number(position) === removed ? [] : [{ ...error, path: `familyMembers.${Number(position) - 1}.${field}` }]
  })
}

function memberPositions(fields: FormData | URLSearchParams): number[] {
  const positions = new Set<number>()
  for (const key of fields.keys()) {
    const position = /^familyMembers\.(\d{1,3})\.name$/.exec(key)?.[1]
    if (position !== undefined) positions.add(Number(position))
  }
  return Array.from(positions)
    .sort((a, b) => a - b)
    .slice(0, ROWS_READ)
}
