import * as z from 'zod/mini'
import { MESSAGE_MAXIMUM } from './limits.ts'
import { absentWhenEmpty, idText, storableText } from './schemas.ts'

/** Who may read a prayer request: everyone at the service, the group that prays, or only the pastor. */
export const audiences = ['service', 'group', 'pastor'] as const
export type Audience = (typeof audiences)[number]

/** Which requests an administrator reads: none, those for the group, or all. */
export const prayerAccess = ['none', 'group', 'pastor'] as const
export type PrayerAccess = (typeof prayerAccess)[number]

export function mayRead(access: PrayerAccess, audience: Audience): boolean {
  return access === 'pastor' || (access === 'group' && audience !== 'pastor')
}

/** The fields of an RSVP with a prayer request. */
export const prayerFields = {
  prayer: absentWhenEmpty(storableText('The prayer request', MESSAGE_MAXIMUM)),
  /** By default only the pastor. */
  prayerAudience: absentWhenEmpty(z.enum(audiences, 'Choose service, group or pastor.')),
}

/** A prayer request as administrators read it. Moments are ISO 8601 in UTC. */
export const shownPrayer = z.object({
  id: z.int(),
  /** The name of the household. */
  name: z.string(),
  serviceDate: z.string(),
  text: z.string(),
  audience: z.enum(audiences),
  createdAt: z.string(),
  prayedAt: z.nullable(z.string()),
  toVisit: z.boolean(),
  /** Of the household, only for administrators who read all requests. */
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
})
export type ShownPrayer = z.output<typeof shownPrayer>

export const prayerChange = z
  .object({ id: idText, prayed: z.optional(z.boolean()), toVisit: z.optional(z.boolean()) })
  .check(z.refine(({ id: _, ...change }) => Object.keys(change).length > 0, 'Name at least one thing to change.'))
