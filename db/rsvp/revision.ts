import type { StoredRsvp } from './schema.ts'

/** Which state of an RSVP this is: the moment of its last change in ms, or 0 until it is changed for the first time. */
export function revisionOf({ changedAt }: Pick<StoredRsvp, 'changedAt'>): number {
  return changedAt === null ? 0 : Date.parse(changedAt)
}
