import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import type { Call } from '#db/operation.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import type { Schedule } from '#db/schedule/schema.ts'

/** Sentences on where the event's texts say something else than the schedule. */
export async function listContradictions(schedule: Schedule, call: Call): Promise<string[]> {
  const event = (await getEvent(call)) ?? defaultEvent
  return findContradictions(event, schedule).map(({ sentence }) => sentence)
}
