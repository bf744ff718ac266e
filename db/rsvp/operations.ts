import type * as z from 'zod/mini'
import { getFeatures } from '#db/feature/operations.ts'
import { type Features, featureNames } from '#db/feature/schema.ts'
import { type Operation, operation } from '#db/operation.ts'
import { featureFields, newRsvp } from './schema.ts'
import { refuseTooMany } from './submit/limit.ts'
import { storeOnce } from './submit/store-once.ts'

/**
 * Stores a response with its family members and volunteer roles, all or nothing. What belongs to a feature that is
 * off is left out unread. The same idempotency key with the same body again returns the first id and stores nothing.
 * @throws UserError 'invalid' with a message per field, also for a role that is not offered; 'too-many' when the
 * caller's network has sent as many as it may; 'key-reused' and 'deleted' as `findStored` throws them.
 */
export const createRsvp: Operation<{ id: number }, z.input<typeof newRsvp>> = async (input, call) => {
  // What does not fit counts as sent as well.
  const known = dropDisabledFields(input, await getFeatures(call))
  const storeRsvp = operation(
    newRsvp,
    (sent) => storeOnce(sent, known === input ? undefined : input, call),
    refuseTooMany,
  )
  return storeRsvp(known, call)
}

/** Removes the fields of disabled features, unread: a form may have been open when a feature was switched off. */
function dropDisabledFields(input: unknown, features: Features): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const off: string[] = featureNames.filter((name) => !features[name]).flatMap((name) => featureFields[name])
  if (off.length === 0) return input
  return Object.fromEntries(Object.entries(input).filter(([field]) => !off.includes(field)))
}
