import type { FieldError } from '#db/errors.ts'

/** The form as it stands: what was typed, unchecked. The names of the fields are the same with and without JavaScript. */
export type RsvpDraft = {
  name: string
  email: string
  phone: string
  message: string
  attending: 'true' | 'false' | undefined
  calendarType: string | undefined
  familyMembers: MemberDraft[]
  volunteerRoles: number[]
  /** Stays empty: people do not see this field. */
  website: string
}
export type MemberDraft = { name: string; age: string; attending: boolean }

/** A form that came back without JavaScript: everything typed, and what to correct. */
export type ReturnedForm = { draft: RsvpDraft; errors: FieldError[]; status: number; notice?: string }

export const emptyDraft: RsvpDraft = {
  name: '',
  email: '',
  phone: '',
  message: '',
  attending: undefined,
  calendarType: undefined,
  familyMembers: [],
  volunteerRoles: [],
  website: '',
}
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
    familyMembers: memberPositions(fields).map((position) => ({
      name: text(`familyMembers.${position}.name`),
      age: text(`familyMembers.${position}.age`),
      attending: true,
    })),
    volunteerRoles: fields.getAll('volunteerRoles').map(Number).filter(Number.isInteger),
    website: text('website'),
  }
}

/** What the draft sends: choices as their types, nothing else touched. */
export function toSubmission(draft: RsvpDraft) {
  return {
    ...draft,
    attending: draft.attending === undefined ? undefined : draft.attending === 'true',
    addToCalendar: draft.calendarType !== undefined,
    website: draft.website || undefined,
  }
}

/** The messages that are left when a family member goes: his own go too, those behind him move up. */
export function withoutMember(errors: FieldError[], removed: number): FieldError[] {
  return errors.flatMap((error) => {
    const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(error.path) ?? []
    if (position === undefined || Number(position) < removed) return [error]
    return Number(position) === removed ? [] : [{ ...error, path: `familyMembers.${Number(position) - 1}.${field}` }]
  })
}

function memberPositions(fields: FormData | URLSearchParams): number[] {
  const positions = Array.from(fields.keys()).flatMap((key) => {
    const match = /^familyMembers\.(\d{1,3})\.name$/.exec(key)
    return match === null ? [] : [Number(match[1])]
  })
  return positions.sort((a, b) => a - b)
}
