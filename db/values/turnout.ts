import * as z from 'zod/mini'
import { calendarDay } from './schemas.ts'

const TURNOUT_MAXIMUM = 100_000
const notTurnout = `Give the number of people who came as a whole number from 0 to 100,000.`

const people = z.int(notTurnout).check(z.gte(0, notTurnout), z.lte(TURNOUT_MAXIMUM, notTurnout))

/** A turnout of null removes the number. */
export const turnoutChange = z.object({ date: calendarDay, turnout: z.nullable(people) })

/** `countedAt` is when the number was stored, ISO 8601 in UTC. Both are null if it was not counted. */
export const changedTurnout = z.object({
  date: z.string(),
  turnout: z.nullable(z.int()),
  countedAt: z.nullable(z.string()),
})
export type ChangedTurnout = z.output<typeof changedTurnout>
