import * as z from 'zod/mini'
import type { Rsvp } from './rsvp.ts'
import { idText } from './schemas.ts'

/** After so many days in which its household changed or confirmed nothing, a standing RSVP ends. */
export const QUIET_DAYS = 365
/** After so many of these days, the administration shows a notice. */
export const ASK_DAYS = 335
const DAY_MS = 24 * 60 * 60 * 1000

/** What a household says for every week: the fields that its standing RSVP and each RSVP written from it have in common. */
export const everyWeekFields = [
  'name',
  'email',
  'phone',
  'remind',
  'familyMembers',
  'volunteerRoles',
] as const satisfies readonly (keyof Rsvp)[]
export type EveryWeek = Pick<Rsvp, (typeof everyWeekFields)[number]>

/** A household that comes every week, as an administrator sees it. Moments are ISO 8601 in UTC. */
export const standingHousehold = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  /** The day of its first service. */
  since: z.string(),
  /** When the household last changed or confirmed something by its link. */
  seenAt: z.string(),
  /** When the standing RSVP ends, unless the household changes or confirms something before. */
  endsAt: z.string(),
  /** Whether the same person has started a newer standing RSVP, which counts instead. */
  sentAgain: z.boolean(),
})
export type StandingHousehold = z.output<typeof standingHousehold>

/** Whether a standing RSVP ends soon because its household has been quiet for long. */
export function isQuiet({ endsAt }: Pick<StandingHousehold, 'endsAt'>, now: Date): boolean {
  return Date.parse(endsAt) - now.getTime() <= (QUIET_DAYS - ASK_DAYS) * DAY_MS
}

export const standingChange = z.object({
  id: idText,
  comes: z.boolean('Say with true or false whether the household still comes.'),
})
