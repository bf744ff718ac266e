import { type Level, takeFromEach } from '#db/access/limits/allowance.ts'
import { timesAs, widerLevels } from '#db/access/limits/wider-networks.ts'
import { noteFlood } from '#db/audit/flood.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { isOutage, UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'

/** Rows of the form that are added and removed without JavaScript, for each answer: a family of five, and room to err. */
const FORMS_PER_ANSWER = 10

/** More at once from everywhere than from so many crowded churches is a flood: it is stored, and marked. */
const EVERYWHERE = { name: 'rsvp from everywhere', times: 10 }

/**
 * @returns whether so many come from everywhere at this moment that it looks like a flood.
 * @throws UserError 'too-many' when the caller's network, or those around it, have sent as many answers as they may.
 */
export async function refuseTooMany(call: Call): Promise<boolean> {
  const { network, allowance, now } = call
  if (network === undefined || allowance === undefined) return false
  const everywhere = { name: EVERYWHERE.name, allowance: timesAs(allowance, EVERYWHERE.times) }
  const empty = await takeFromEach([...levelsOf('rsvp', network, allowance), everywhere], now)
  if (empty?.name !== EVERYWHERE.name) {
    refuseWhile(empty?.wait ?? 0)
    return false
  }
  await noteFlood({ of: 'answers' }, call)
  return true
}

/**
 * The same for a form that is only sent to get a row more or less: it costs a page, but no answer.
 * @throws UserError 'too-many' when they have sent as many forms as they may.
 */
export async function refuseTooManyForms({ network, allowance, now }: Call): Promise<void> {
  if (network === undefined || allowance === undefined) return
  const levels = levelsOf('form', network, timesAs(allowance, FORMS_PER_ANSWER))
  refuseWhile(await takeFromEach(levels, now).then((empty) => empty?.wait ?? 0, noneWhileAway))
}

function levelsOf(purpose: string, network: string, allowance: Allowance): Level[] {
  return [{ name: `${purpose} ${network}`, allowance }, ...widerLevels(purpose, network, allowance)]
}

/** A row can be added also while nothing can be stored. */
function noneWhileAway(error: unknown): number {
  if (isOutage(error)) return 0
  throw error
}

function refuseWhile(wait: number): void {
  if (wait === 0) return
  const seconds = Math.ceil(wait / 1000)
  throw new UserError(
    'too-many',
    `Too many answers came from your network. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then send yours again.`,
    [],
    seconds,
  )
}
