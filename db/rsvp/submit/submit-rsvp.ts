import type * as z from 'zod/mini'
import type { Operation } from '#db/operation.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import type { newRsvp } from '#db/rsvp/schema.ts'
import { getShownNames } from '#db/settings/operations.ts'
import type { Stored } from './store-once.ts'

type Submitted = Partial<Pick<Stored, 'id'>> & Pick<Stored, 'linkSecret'>

/**
 * Stores a response as `createRsvp` does, and returns what the sender may know of it: no id when visitors are shown no
 * list, because ids reveal how many there are, and only that list uses them.
 */
export const submitRsvp: Operation<Submitted, z.input<typeof newRsvp>> = async (input, call) => {
  // At the same time: the setting is read together with what storing reads first.
  const [{ id, linkSecret }, names] = await Promise.all([
    createRsvp(input, call),
    call.administrator || getShownNames(call),
  ])
  return names === true || names === 'full' || names === 'initial' ? { id, linkSecret } : { linkSecret }
}
