import * as z from 'zod/mini'
import { idText } from '#db/values/schemas.ts'

/** A household that comes every week, as an administrator sees it. Moments are ISO 8601 in UTC. */
export const standingHousehold = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  /** The day of the first service that it is for. */
  since: z.string(),
  /** The last time that the household said anything by its link. */
  seenAt: z.string(),
  /** When it ends unless the household says something before. */
  endsAt: z.string(),
})
export type StandingHousehold = z.output<typeof standingHousehold>

export const standingId = z.object({ id: idText })
