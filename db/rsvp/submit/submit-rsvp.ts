import type { Operation } from '#db/operation.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import { getShownNames } from '#db/settings/operations.ts'

/**
 * Stores a response as `createRsvp` does, and answers what the sender may know of it: no id where the church shows
 * visitors no list, because ids count. No other list than that uses them.
 */
export const submitRsvp: Operation<{ id?: number }> = async (input, call) => {
  const { id } = await createRsvp(input, call)
  if (call.administrator) return { id }
  const names = await getShownNames(call)
  return names === 'full' || names === 'initial' ? { id } : {}
}
