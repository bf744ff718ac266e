import type * as z from 'zod/mini'
import type { Operation } from '#db/operation.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import type { newRsvp } from '#db/rsvp/schema.ts'
import { getShownNames } from '#db/settings/operations.ts'

/**
 * Stores a response as `createRsvp` does, and returns what the sender may know of it: no id when visitors are shown no
 * list, because ids reveal how many there are, and only that list uses them.
 */
export const submitRsvp: Operation<{ id?: number }, z.input<typeof newRsvp>> = async (input, call) => {
  const { id } = await createRsvp(input, call)
  if (call.administrator) return { id }
  const names = await getShownNames(call)
  return names === 'full' || names === 'initial' ? { id } : {}
}
