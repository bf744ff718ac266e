import { getClock } from '#db/clock/operations.ts'
import type { Call } from '#db/operation.ts'
import { getDue } from '#db/rsvp/retention/due.ts'

/** The JSON of `rsvp clock`; null for values that are missing. */
export async function clockJson(call: Call) {
  const { clock, known, doubt } = await getClock(call)
  const { anonymize = null, erase } = await getDue(call)
  return { clock, known, doubt: doubt?.kind ?? null, due: { anonymize, erase } }
}
