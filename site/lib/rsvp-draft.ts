import type { FieldError } from '#db/errors.ts'
import type { OwnRevision } from '#db/private-link/schema.ts'
import { type RsvpInput, rsvp as rsvpSchema } from '#db/rsvp/schema.ts'
import { said } from '#site/texts/said.ts'

// How the form is read, checked and sent: what needs the rules of its fields, which the page loads once one is touched.

/** Twice as many as may be sent: who typed too many gets all of them back. A browser's form never holds more. */
const ROWS_READ = 40

/** The form as it stands: what was typed, unchecked. The names of the fields are the same with and without JavaScript. */
export type RsvpDraft = ReturnType<typeof readForm>

/** Reads the fields of the form, in the browser and on the server alike. */
export function readForm(fields: FormData | URLSearchParams) {
  const text = (name: string) => String(fields.get(name) ?? '')
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    // Without JavaScript browsers send line breaks as CRLF.
    message: text('message').replaceAll('\r\n', '\n'),
    attending: (['true', 'false'] as const).find((value) => value === text('attending')),
    calendarType: text('calendarType') || undefined,
    /** Other family members attend although the visitor does not. */
    othersCome: fields.has('othersCome'),
    familyMembers: memberPositions(fields).map((position) => ({
      name: text(`familyMembers.${position}.name`),
      age: text(`familyMembers.${position}.age`),
      // Only of members who were entered by others: the form asks for those who come.
      attending: text(`familyMembers.${position}.attending`) !== 'false',
    })),
    volunteerRoles: fields.getAll('volunteerRoles').map(Number).filter(Number.isInteger),
    /** Stays empty: people do not see this field. */
    website: text('website'),
    /** One of the days that were offered. */
    serviceDate: text('serviceDate') || undefined,
  }
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

export function draftOfRsvp({ volunteerSignups, familyMembers, ...rsvp }: OwnRevision['rsvp']): RsvpDraft {
  return {
    name: rsvp.name,
    email: rsvp.email,
    phone: rsvp.phone ?? '',
    message: rsvp.message ?? '',
    attending: rsvp.attending ? 'true' : 'false',
    calendarType: rsvp.calendarType ?? undefined,
    othersCome: !rsvp.attending && familyMembers.length > 0,
    familyMembers: familyMembers.map(({ name, age, attending }) => ({ name, age: age ?? '', attending })),
    volunteerRoles: volunteerSignups.map(({ role }) => role.id),
    website: '',
    serviceDate: rsvp.serviceDate,
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

/** Finds the errors that the server would report, by the same schema but without a call. */
export function checkDraft(draft: RsvpDraft): FieldError[] {
  const issues = rsvpSchema.safeParse(toRsvpInput(draft)).error?.issues ?? []
  return issues.map(({ path, message }) => ({ path: path.join('.'), message: said(message) }))
}
