import { getClock } from '#db/clock/operations.ts'
import type { Call } from '#db/operation.ts'
import { getDue } from '#db/rsvp/retention/due.ts'

/** What `rsvp clock` prints for other programs: what is not there is null. */
export async function clockJson(call: Call) {
  const { clock, known, doubt } = await getClock(call)
  const { anonymize = null, erase } = await getDue(call)
  return { clock, known, doubt: doubt?.kind ?? null, due: { anonymize, erase } }
}
