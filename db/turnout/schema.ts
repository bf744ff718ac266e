import * as z from 'zod/mini'
import { calendarDay } from '#db/values/schemas.ts'

const TURNOUT_MAXIMUM = 100_000
const notTurnout = `Give the number of people who came as a whole number from 0 to 100,000.`

const people = z.int(notTurnout).check(z.gte(0, notTurnout), z.lte(TURNOUT_MAXIMUM, notTurnout))

/** Null removes it. */
export const turnoutChange = z.object(
  { date: calendarDay, turnout: z.nullable(people) },
  'Send the number of people as a JSON object with turnout.',
)

/** How many people came to the service on a day, and when that was stored, ISO 8601 in UTC. Both are null where no one has counted. */
export const changedTurnout = z.object({
  date: z.string(),
  turnout: z.nullable(z.int()),
  countedAt: z.nullable(z.string()),
})
export type ChangedTurnout = z.output<typeof changedTurnout>
