import { UserError } from '#db/errors.ts'
import { FAMILY_MEMBERS_MAXIMUM } from './maximum.ts'
import type { RsvpInput, StoredRsvp } from './schema.ts'

/** Which state of an RSVP this is: the moment of its last change in ms, or 0 until it is changed for the first time. */
export function revisionOf({ changedAt }: Pick<StoredRsvp, 'changedAt'>): number {
  return changedAt === null ? 0 : Date.parse(changedAt)
}

/** Whether it is one of these revisions, where it matters. */
export function isRevision(stored: StoredRsvp, wanted: 'any' | number[] = 'any'): boolean {
  return wanted === 'any' || wanted.includes(revisionOf(stored))
}

/** A stored RSVP as the form would send it. */
export function sentAs({ volunteerSignups, ...stored }: StoredRsvp) {
  return {
    ...stored,
    phone: stored.phone ?? undefined,
    message: stored.message ?? undefined,
    calendarType: stored.calendarType ?? undefined,
    familyMembers: stored.familyMembers.map(({ age, ...member }) => ({ ...member, age: age ?? undefined })),
    volunteerRoles: volunteerSignups.map(({ role }) => role.id),
  } satisfies RsvpInput
}

export function noSuchRsvp(): UserError {
  return new UserError('not-found', 'There is no such response. It may have been deleted already.')
}

/** Those of one person, of which there is at least one: what was said last comes first. */
export type SameSender = [newest: StoredRsvp, ...earlier: StoredRsvp[]]

/**
 * What the RSVPs of a person say together: as the newest, with its family and whom the fuller earlier one names beside them,
 * every role, every message and a phone number, so that nothing is lost by sending the form again with only a name.
 */
export function proposeMerge([newest, ...earlier]: SameSender): StoredRsvp {
  const all = [newest, ...earlier]
  const fuller = earlier.reduce(
    (best, { familyMembers }) => (familyMembers.length > best.length ? familyMembers : best),
    newest.familyMembers,
  )
  const named = new Set(newest.familyMembers.map(({ name }) => name.toLowerCase()))
  const others = fuller.filter(({ name }) => !named.has(name.toLowerCase()))
  const roles = all.flatMap(({ volunteerSignups }) => volunteerSignups)
  const messages = all.flatMap(({ message }) => message ?? [])
  return {
    ...newest,
    phone: all.find(({ phone }) => phone !== null)?.phone ?? null,
    message: Array.from(new Set(messages)).reverse().join('\n\n') || null,
    familyMembers: [
      ...newest.familyMembers,
      // Who does not come any more has not said that others do.
      ...others.map((member) => ({ ...member, attending: member.attending && newest.attending })),
    ].slice(0, FAMILY_MEMBERS_MAXIMUM),
    volunteerSignups: roles.filter(
      ({ role }, place) => roles.findIndex((other) => other.role.id === role.id) === place,
    ),
  }
}

/** In the order of `SameSender`; undefined where there is none. */
export function lastWordFirst(rsvps: StoredRsvp[]): SameSender | undefined {
  const saidAt = ({ changedAt, createdAt }: StoredRsvp) => changedAt ?? createdAt
  const [newest, ...earlier] = rsvps.toSorted((one, other) =>
    saidAt(one) === saidAt(other) ? other.id - one.id : saidAt(one) < saidAt(other) ? 1 : -1,
  )
  return newest && [newest, ...earlier]
}
