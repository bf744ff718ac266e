import type * as z from 'zod/mini'
import { getFeatures } from '#db/feature/operations.ts'
import { type Call, type Operation, operation } from '#db/operation.ts'
import { newRsvp } from './schema.ts'
import { dropDisabledFields } from './submit/disabled-fields.ts'
import { refuseTooMany } from './submit/limit.ts'
import { countOutcome } from './submit/outcomes.ts'
import { type Stored, storeOnce } from './submit/store-once.ts'

/**
 * Stores a response with its family members and volunteer roles, all or nothing. What belongs to a feature that is
 * off is left out unread. The same idempotency key with the same body again returns the first id and stores nothing.
 * @throws UserError 'invalid' with a message per field, also for a role that is not offered; 'too-many' when the
 * caller's network has sent as many as it may; 'key-reused' and 'deleted' as `findStored` throws them.
 */
export const createRsvp: Operation<Stored, z.input<typeof newRsvp>> = (input, call) =>
  countOutcome(() => create(input, call))

async function create(input: unknown, call: Call): Promise<Stored> {
  const calledAt = performance.now()
  // What does not fit counts as sent as well.
  const known = dropDisabledFields(input, await getFeatures(call))
  const storeRsvp = operation(
    newRsvp,
    (sent) => storeOnce(sent, known === input ? undefined : input, call, calledAt),
    refuseTooMany,
  )
  return storeRsvp(known, call)
}
