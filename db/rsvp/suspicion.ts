import type { StoredRsvp } from './schema.ts'

/** Nobody reads the form and fills it in within this time, in ms. */
const FASTEST = 2000

/**
 * Why a response may be spam, as far as its form tells. It is stored all the same: the administrator decides.
 * @param website what was typed into a field that people do not see.
 * @param formAge how long the form was shown, in ms, where that is known.
 */
export function suspicionOf(website = '', formAge = FASTEST): StoredRsvp['suspicion'] {
  if (website !== '') return 'hidden-field'
  return formAge < FASTEST ? 'too-fast' : null
}
