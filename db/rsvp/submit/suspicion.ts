import type { StoredRsvp } from '#db/rsvp/schema.ts'

/** People take longer than this to read the form and fill it in. */
const FASTEST_MS = 2000

/**
 * Why a response may be spam, as far as its form tells. It is stored all the same: the administrator decides.
 * @param website what was typed into a hidden field.
 * @param formAge how long the form was shown, in ms, where that is known.
 * @param flooded whether it came during a flood.
 */
export function suspicionOf(website = '', formAge = FASTEST_MS, flooded = false): StoredRsvp['suspicion'] {
  if (website !== '') return 'hidden-field'
  if (formAge < FASTEST_MS) return 'too-fast'
  return flooded ? 'flood' : null
}
