import type { StoredRsvp } from '#db/rsvp/schema.ts'

/** Nobody reads the form and fills it in within this time, in ms. */
const FASTEST = 2000

/**
 * Why a response may be spam, as far as its form tells. It is stored all the same: the administrator decides.
 * @param website what was typed into a field that people do not see.
 * @param formAge how long the form was shown, in ms, where that is known.
 * @param flooded whether it came among more than any church gets.
 */
export function suspicionOf(website = '', formAge = FASTEST, flooded = false): StoredRsvp['suspicion'] {
  if (website !== '') return 'hidden-field'
  if (formAge < FASTEST) return 'too-fast'
  return flooded ? 'flood' : null
}
