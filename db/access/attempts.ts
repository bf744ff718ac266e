import { and, eq, lt, lte, sql } from 'drizzle-orm'
import { db } from '../client.ts'
import { UserError } from '../errors.ts'
import { takeFrom } from './allowance.ts'
import type { Allowance } from './schema.ts'
import { signInAttempts } from './table.ts'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR

/** Wrong passwords that cost nothing. */
const FREE_FAILURES = 5
/** After that each one doubles the wait, from this … */
const FIRST_WAIT = 5 * SECOND
/** … up to this, so that nobody is ever locked out: ten minutes of guessing reach the password eleven times. */
const LONGEST_WAIT = 300 * SECOND
const DOUBLINGS = Math.ceil(Math.log2(LONGEST_WAIT / FIRST_WAIT))

/** From all networks together: never more than a hundred in any hour. */
const inAll: Allowance = { atOnce: 50, everyMs: HOUR / 50 }
/** How long a network counts as an administrator's own after somebody signed in there. */
const KNOWN_FOR = 30 * DAY

/**
 * Lets somebody try a password, or not yet. It counts as a failure until `succeed` says otherwise, so that twenty tries
 * at once are twenty tries.
 * @param network where the try comes from, as in `203.0.113.7`.
 * @throws UserError 'too-many' that says how long to wait.
 */
export async function takeAttempt(network: string, now: Date): Promise<void> {
  const moment = now.getTime()
  const { failures, nextAt, knownUntil } = signInAttempts
  const doublings = sql`min(${failures} + 1 - ${FREE_FAILURES}, ${DOUBLINGS})`
  const wait = sql`iif(${failures} + 1 < ${FREE_FAILURES}, 0, min(${FIRST_WAIT} << ${doublings}, ${LONGEST_WAIT}))`
  const [, taken, [known]] = await db.batch([
    db.delete(signInAttempts).where(and(lt(nextAt, moment - HOUR), lt(knownUntil, moment))),
    db
      .insert(signInAttempts)
      .values({ network, failures: 1, nextAt: moment, knownUntil: 0 })
      .onConflictDoUpdate({
        target: signInAttempts.network,
        set: { failures: sql`${failures} + 1`, nextAt: sql`${moment} + ${wait}` },
        setWhere: lte(nextAt, moment),
      })
      .returning({ network: signInAttempts.network }),
    db.select().from(signInAttempts).where(eq(signInAttempts.network, network)),
  ])
  if (known === undefined) throw new Error('The attempt was counted and then not found.')
  if (taken.length === 0) throw tooMany(known.nextAt - moment)
  if (known.knownUntil > moment) return
  const wanted = await takeFrom('sign-in', inAll, now)
  if (wanted > 0) throw tooMany(wanted)
}

/** What a success changes: the network starts afresh, and is known. To be written together with the session. */
export function attemptSucceeded(network: string, now: Date) {
  const known = { failures: 0, nextAt: now.getTime(), knownUntil: now.getTime() + KNOWN_FOR }
  return db
    .insert(signInAttempts)
    .values({ network, ...known })
    .onConflictDoUpdate({ target: signInAttempts.network, set: known })
}

function tooMany(wait: number): UserError {
  const seconds = Math.ceil(wait / SECOND)
  const time =
    seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return new UserError('too-many', `Too many wrong passwords. Wait ${time}, then try again.`, [], seconds)
}
