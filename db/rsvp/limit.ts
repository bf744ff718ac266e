import { levelsOfNetwork, multiplyAllowance, takeFromEach, tooMany } from '#db/allowance.ts'
import type { Call } from '#db/call.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import type { UserError } from '#db/values/errors.ts'

/** The allowance for all networks together, in multiples of one network's. Beyond it RSVPs are stored and marked as a flood. */
const GLOBAL = { name: 'rsvp from everywhere', times: 10 }

/**
 * Counts an RSVP that is sent or changed.
 * @returns the UserError 'too-many' if the caller's network, or one around it, has used up its allowance; and whether
 * all networks together send so many at this moment that it looks like a flood.
 */
export async function countRsvp(tx: Transaction, call: Call): Promise<{ refused?: UserError; flooded: boolean }> {
  const { network, allowance, now } = call
  if (network === undefined || allowance === undefined) return { flooded: false }
  const everyone = { name: GLOBAL.name, allowance: multiplyAllowance(allowance, GLOBAL.times) }
  const empty = await takeFromEach(tx, [...levelsOfNetwork('rsvp', network, allowance), everyone], now)
  if (empty?.name === GLOBAL.name) return { flooded: true }
  if (empty === undefined) return { flooded: false }
  // Calls can be counted out of order by some milliseconds; `everyMs` is the longest wait for one more RSVP.
  const wait = Math.min(empty.wait, empty.allowance.everyMs)
  return { refused: tooMany('too-many-rsvps', wait), flooded: false }
}

/** The same for requests that store no new RSVP: invalid ones, changes and withdrawals. */
export async function refuseTooMany(call: Call): Promise<void> {
  const { refused } = await transaction((tx) => countRsvp(tx, call))
  if (refused !== undefined) throw refused
}
