import { UserError } from './errors.ts'
import type { RsvpInput, StoredRsvp } from './rsvp.ts'

/** The revision of an RSVP: the moment of its last change in ms since 1970, or 0 if it was never changed. */
export function revisionOf({ changedAt }: Pick<StoredRsvp, 'changedAt'>): number {
  return changedAt === null ? 0 : Date.parse(changedAt)
}

/** `any` accepts every revision. */
export function isRevision(stored: Pick<StoredRsvp, 'changedAt'>, wanted: 'any' | number[] = 'any'): boolean {
  return wanted === 'any' || wanted.includes(revisionOf(stored))
}

/** How an RSVP was deleted; undefined if it was not. A merge from before `mergedInto` existed counts as 'deleted'. */
export function deletionOf({ deletedAt, changedAt, mergedInto }: StoredRsvp) {
  if (deletedAt === null) return undefined
  if (deletedAt === changedAt) return 'withdrawn'
  return mergedInto === null ? 'deleted' : 'merged'
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
  return new UserError('no-such-response')
}

/** The RSVPs of one person, at least one, the newest first. */
export type SameSender = [newest: StoredRsvp, ...earlier: StoredRsvp[]]

type Dated = Pick<StoredRsvp, 'id' | 'createdAt' | 'changedAt'>

/** Sorts by the last change, in the order of `SameSender`; undefined for an empty list. */
export function newestFirst<Rsvp extends Dated>(rsvps: Rsvp[]): [newest: Rsvp, ...earlier: Rsvp[]] | undefined {
  const lastChange = ({ changedAt, createdAt }: Dated) => changedAt ?? createdAt
  const [newest, ...earlier] = [...rsvps].sort((one, other) => {
    if (lastChange(one) === lastChange(other)) return other.id - one.id
    return lastChange(one) < lastChange(other) ? 1 : -1
  })
  return newest && [newest, ...earlier]
}
