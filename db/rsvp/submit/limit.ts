import { noteFlood } from '#db/access/floods.ts'
import { type Level, takeFromEach } from '#db/access/limits/allowance.ts'
import { multiplyAllowance, widerLevels } from '#db/access/limits/wider-networks.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { isOutage, UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { waitText } from '#db/values/dates.ts'

/** How often a form may add or remove a row without JavaScript, for each RSVP: a family of five, and some corrections. */
const FORMS_PER_RSVP = 10

/** The allowance for all networks together, in multiples of one network's. Beyond it RSVPs are stored and marked as a flood. */
const GLOBAL = { name: 'rsvp from everywhere', times: 10 }

/** The allowances that an RSVP takes one from each of; none where nothing limits the caller. */
export function levelsOf({ network, allowance }: Call): Level[] {
  if (network === undefined || allowance === undefined) return []
  const globalAllowance = multiplyAllowance(allowance, GLOBAL.times)
  return [
    ...levelsOfNetwork('rsvp', network, allowance),
    { name: GLOBAL.name, allowance: globalAllowance, onlyMarks: true },
  ]
}

/**
 * @returns whether all networks together send so many RSVPs at this moment that it looks like a flood.
 * @throws UserError 'too-many' when the caller's network, or those around it, have sent as many RSVPs as they may.
 */
export async function refuseTooMany(call: Call): Promise<boolean> {
  const levels = levelsOf(call)
  if (levels.length === 0) return false
  const empty = await takeFromEach(levels, call.now)
  if (empty?.name !== GLOBAL.name) {
    // Calls are counted out of order by some milliseconds; no one has to wait longer than until there is one more.
    refuseWhile(empty === undefined ? 0 : Math.min(empty.wait, empty.allowance.everyMs))
    return false
  }
  await noteFloodOnce(call)
  return true
}

let noting: Promise<void> | undefined

/** Records that it looks like a flood, once for all who find it out meanwhile. In an outage the next ones record it. */
export function noteFloodOnce(call: Call): Promise<void> {
  noting ??= noteFloodUnlessOutage(call)
  return noting
}

async function noteFloodUnlessOutage(call: Call): Promise<void> {
  try {
    await noteFlood({ kind: 'rsvps' }, call)
  } catch (error) {
    if (!isOutage(error)) throw error
  } finally {
    noting = undefined
  }
}

/**
 * The same for a form that is only sent to add or remove a row: it costs a page, but no RSVP.
 * @throws UserError 'too-many' when they have sent as many forms as they may.
 */
export async function refuseTooManyForms({ network, allowance, now }: Call): Promise<void> {
  if (network === undefined || allowance === undefined) return
  const levels = levelsOfNetwork('form', network, multiplyAllowance(allowance, FORMS_PER_RSVP))
  refuseWhile(await takeFromEach(levels, now).then((empty) => empty?.wait ?? 0, noWaitInOutage))
}

function levelsOfNetwork(purpose: string, network: string, allowance: Allowance): Level[] {
  return [{ name: `${purpose} ${network}`, allowance }, ...widerLevels(purpose, network, allowance)]
}

/** A row can be added also during an outage. */
function noWaitInOutage(error: unknown): number {
  if (isOutage(error)) return 0
  throw error
}

function refuseWhile(wait: number): void {
  if (wait === 0) return
  const seconds = Math.ceil(wait / 1000)
  throw new UserError(
    'too-many',
    `Too many responses came from your network. Wait ${waitText(seconds)}, then send yours again.`,
    [],
    seconds,
  )
}
