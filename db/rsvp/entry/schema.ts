import * as z from 'zod/mini'
import { isAnonymous } from '#db/rsvp/retention/anonymous.ts'
import { email, rsvp } from '#db/rsvp/schema.ts'
import { absentWhenEmpty } from '#db/values/text.ts'

const entered = z.extend(rsvp, {
  /** Empty where there is none: not everyone who calls has an address. */
  email: z._default(absentWhenEmpty(email), ''),
})
export type EnteredRsvp = z.output<typeof entered>

const nameMissing = 'Give another name, or an email: responses called Anonymous do not name their family.'

/** What is called as anonymized responses are counts as one of them: nothing would take the names of the family away. */
const namedWithFamily = z.refine<EnteredRsvp>(
  (response) => !isAnonymous(response) || response.familyMembers.every(({ name }) => name === response.name),
  { error: nameMissing, path: ['name'] },
)

/** A response as an administrator enters it, e.g. from a telephone call. */
export const enteredRsvp = entered.check(namedWithFamily)

/** A new one, with the key that identifies one sending. */
export const newEntry = z.extend(entered, { idempotencyKey: z.optional(z.string()) }).check(namedWithFamily)
