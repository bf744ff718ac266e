import { millisecondsInDay } from 'date-fns/constants'
import { notBetween, sql } from 'drizzle-orm'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { UserError } from '#db/values/errors.ts'
import type { Allowance } from '#db/values/limits.ts'
import type { refusals } from '#db/values/refusals.ts'

/** A row that lasts longer was written by a clock that was ahead. */
const KEPT_MAXIMUM_MS = 90 * millisecondsInDay

/** Calls may be counted out of order, because some wait for the database, but never for longer than this. */
const DISORDER_MAXIMUM_MS = 10_000

/** A provider gives a customer a /56 or a /48, in which each /64 looks like a household. */
const HOMES_IN_56 = 4
const HOMES_IN_48 = 16
/** Many people share one IPv4 address, but a customer has few addresses. */
const ADDRESSES_IN_24 = 16

const allowancesNamed = db
  .select()
  .from(allowances)
  .where(sql`${allowances.name} IN (SELECT value FROM json_each(${sql.placeholder('names')}))`)
  .prepare()

export type Level = { name: string; allowance: Allowance }

/**
 * Takes one from each of several allowances in turn, until one is empty (the generic cell rate algorithm: a token bucket
 * that stores one moment). To refuse the caller then, return from the transaction instead of throwing, so that what was
 * taken stays taken.
 * @returns the empty allowance, and how many ms until it has one again; undefined if none was empty.
 */
export async function takeFromEach(
  tx: Transaction,
  levels: Level[],
  now: Date,
): Promise<(Level & { wait: number }) | undefined> {
  const moment = now.getTime()
  const stored = await allowancesNamed.all({ names: JSON.stringify(levels.map(({ name }) => name)) })
  const taken: (typeof allowances.$inferInsert)[] = []
  let empty: (Level & { wait: number }) | undefined
  for (const level of levels) {
    const { name, allowance } = level
    const fullAt = stored.find((each) => each.name === name)?.fullAt ?? moment
    // When it would be full again if all of it were taken now.
    const latest = moment + allowance.atOnce * allowance.everyMs
    // Only a clock that was ahead can have written a much later moment: the allowance then counts as full.
    const next = (fullAt > latest + DISORDER_MAXIMUM_MS ? moment : Math.max(fullAt, moment)) + allowance.everyMs
    if (next > latest) {
      empty = { ...level, wait: Math.max(next - latest, 1) }
      break
    }
    taken.push({ name, fullAt: next })
  }
  if (taken.length > 0)
    await tx
      .insert(allowances)
      .values(taken)
      .onConflictDoUpdate({ target: allowances.name, set: { fullAt: sql`excluded.full_at` } })
  return empty
}

/** The refusal of a caller who has to wait so many ms. */
export function tooMany(refusal: keyof (typeof refusals)['too-many'], ms: number): UserError {
  return new UserError(refusal, { wait: Math.ceil(ms / 1000) })
}

/** The allowance of a network, and those of the wider networks around it. */
export function levelsOfNetwork(purpose: string, network: string, allowance: Allowance): Level[] {
  return [{ name: `${purpose} ${network}`, allowance }, ...widerLevels(purpose, network, allowance)]
}

/** Deletes allowances that are full again, and those stored while the clock was ahead. */
export async function forgetFullAllowances(now: Date): Promise<void> {
  const moment = now.getTime()
  const isFull = notBetween(allowances.fullAt, moment + 1, moment + KEPT_MAXIMUM_MS)
  await transaction((tx) => tx.delete(allowances).where(isFull), { repeatable: true })
}

/**
 * The allowances of the wider networks around one, from the narrowest to the widest: each is a small multiple of one
 * network's allowance, far below the number of networks in it.
 * @param network `203.0.113.7`, `2001:db8:1:2::/64` or `unknown`, for example.
 */
export function widerLevels(purpose: string, network: string, allowance: Allowance): Level[] {
  return widerNetworks(network).map(({ name, times }) => ({
    name: `${purpose} ${name}`,
    allowance: multiplyAllowance(allowance, times),
  }))
}

export function multiplyAllowance({ atOnce, everyMs }: Allowance, times: number): Allowance {
  return { atOnce: atOnce * times, everyMs: Math.ceil(everyMs / times) }
}

function widerNetworks(network: string): { name: string; times: number }[] {
  if (network.includes('.')) return [{ name: network.replace(/\d+$/, '0/24'), times: ADDRESSES_IN_24 }]
  if (!network.includes(':')) return []
  const groups = network.split(':')
  const first48 = groups.slice(0, 3).join(':')
  const subnet = (Number(`0x${groups[3]}`) & 0xff00).toString(16)
  return [
    { name: `${first48}:${subnet}::/56`, times: HOMES_IN_56 },
    { name: `${first48}::/48`, times: HOMES_IN_48 },
  ]
}
