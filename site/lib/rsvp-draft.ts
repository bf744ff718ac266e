import type * as z from 'zod/mini'
import type { FieldError } from '#db/values/errors.ts'
import type { OwnRsvp } from '#db/values/private-link.ts'
import { rsvpRequest } from '#db/values/rsvp.ts'
import { personName } from '#db/values/schemas.ts'
import { t } from '#site/texts/texts.ts'

// Reads and validates the form. Pages load it once a field is touched, because it needs the schemas.

/** Twice the maximum, so that a form with too many family members is returned with all of them. */
const ROWS_READ = 40

/** The form as typed, not validated. Its fields have the same names with and without JavaScript. */
export type RsvpDraft = ReturnType<typeof readForm>

/** Used in the browser and on the server. */
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
    /** Whether other family members attend although the visitor does not. */
    othersCome: fields.has('othersCome'),
    familyMembers: memberPositions(fields).map((position) => ({
      name: text(`familyMembers.${position}.name`),
      age: text(`familyMembers.${position}.age`),
      // Only administrators can enter members who do not attend.
      attending: text(`familyMembers.${position}.attending`) !== 'false',
    })),
    volunteerRoles: fields.getAll('volunteerRoles').map(Number).filter(Number.isInteger),
    /** The honeypot: a field that people do not see. */
    website: text('website'),
    serviceDate: text('serviceDate') || undefined,
    firstVisit: fields.has('firstVisit'),
    remind: fields.has('remind'),
    standing: text('standing') === 'true',
    prayer: text('prayer').replaceAll('\r\n', '\n'),
    prayerAudience: text('prayerAudience'),
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

/** The form of a private link. If no one of the household comes, a later Yes includes all of its members. */
export function draftOfRsvp({ volunteerSignups, familyMembers, ...rsvp }: OwnRsvp): RsvpDraft {
  const othersCome = !rsvp.attending && familyMembers.some(({ attending }) => attending)
  const allStayAway = !rsvp.attending && !othersCome
  return {
    name: rsvp.name,
    email: rsvp.email,
    phone: rsvp.phone ?? '',
    message: rsvp.message ?? '',
    attending: rsvp.attending ? 'true' : 'false',
    calendarType: rsvp.calendarType ?? undefined,
    othersCome,
    familyMembers: familyMembers.map(({ name, age, attending }) => ({
      name,
      age: age ?? '',
      attending: attending || allStayAway,
    })),
    volunteerRoles: volunteerSignups.map(({ role }) => role.id),
    website: '',
    serviceDate: rsvp.serviceDate,
    firstVisit: rsvp.firstVisit,
    remind: rsvp.remind,
    standing: false,
    prayer: rsvp.prayer ?? '',
    prayerAudience: rsvp.prayerAudience ?? '',
  }
}

/**
 * The body of the request. Visitors who do not attend send no roles and no calendar, and their family members only if they
 * ticked that others will attend.
 */
export function toRsvpInput({ othersCome, ...draft }: RsvpDraft) {
  const staysAway = draft.attending === 'false'
  return {
    ...draft,
    attending: draft.attending === undefined ? undefined : !staysAway,
    familyMembers: staysAway && !othersCome ? [] : draft.familyMembers,
    volunteerRoles: staysAway ? [] : draft.volunteerRoles,
    calendarType: staysAway ? undefined : draft.calendarType,
    addToCalendar: !staysAway && draft.calendarType !== undefined,
    website: draft.website || undefined,
    // Omitted unless chosen, so that a retry by an older page stays the same request.
    firstVisit: (draft.firstVisit && !staysAway) || undefined,
    remind: (draft.remind && !staysAway) || undefined,
    standing: (draft.standing && !staysAway) || undefined,
    prayer: draft.prayer || undefined,
    prayerAudience: (draft.prayer && draft.prayerAudience) || undefined,
  } satisfies Record<keyof z.input<typeof rsvpRequest>, unknown>
}

/** The body of a change by a private link. After a No, roles, calendar and family members stay stored for a later Yes. */
export function toOwnChange(draft: RsvpDraft) {
  const { firstVisit, remind, prayer } = draft
  // False and empty values are sent, because they remove what was stored.
  const ofYes = { ...toRsvpInput(draft), firstVisit, remind, prayer }
  if (ofYes.attending !== false) return ofYes
  const { volunteerRoles, familyMembers, calendarType, addToCalendar, ...change } = ofYes
  if (draft.othersCome) return { ...change, familyMembers }
  // The rows are hidden, so one without a name must not prevent saving.
  const named = draft.familyMembers.filter(({ name }) => personName.safeParse(name).success)
  return { ...change, familyMembers: named.map((member) => ({ ...member, attending: false })) }
}

/** Validates a draft by the schema that the server uses. */
export function checkDraft(draft: RsvpDraft): FieldError[] {
  const issues = rsvpRequest.safeParse(toRsvpInput(draft)).error?.issues ?? []
  return issues.map(({ path, message }) => ({ path: path.join('.'), message: t(message) }))
}
