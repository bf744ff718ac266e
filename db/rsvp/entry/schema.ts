import * as z from 'zod/mini'
import { isAnonymous } from '#db/rsvp/fields.ts'
import { enteredFields } from '#db/rsvp/schema.ts'

export type EnteredRsvp = z.output<typeof enteredFields>

const nameMissing = 'Give another name, or an email: responses called Anonymous do not name their family.'

/** What is called as anonymized responses are counts as one of them: nothing would take the names of the family away. */
const namedWithFamily = z.refine<EnteredRsvp>(
  (response) => !isAnonymous(response) || response.familyMembers.every(({ name }) => name === response.name),
  { error: nameMissing, path: ['name'] },
)

/** A response that an administrator enters. */
export const enteredRsvp = enteredFields.check(namedWithFamily)

/** The same with the key that identifies one sending. */
export const newEntry = z.extend(enteredFields, { idempotencyKey: z.optional(z.string()) }).check(namedWithFamily)
