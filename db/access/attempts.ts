import { and, between, eq } from 'drizzle-orm'
import { type Level, takeFromEach, tooMany, widerLevels } from '#db/allowance.ts'
import { audit } from '#db/audit.ts'
import type { Call } from '#db/call.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import type { Allowance } from '#db/values/allowance.ts'
import { hashOfToken, newToken } from './tokens.ts'

const MINUTE = 60 * 1000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What a network, a known browser or a session has: five at once, and then one each two minutes. */
const perCaller: Allowance = { atOnce: 5, everyMs: 2 * MINUTE }
/** What one network adds to the allowance of the wider networks around it. */
const perNetwork: Allowance = { atOnce: 10, everyMs: 5 * MINUTE }
/**
 * For one account, from browsers that have never signed in to it. Once it is used up, each network has one try an hour:
 * the person whose account it is has one from anywhere, and a guesser on a thousand networks no more than a thousand.
 */
const perAccount: Allowance = { atOnce: 20, everyMs: HOUR / 20 }
const hourly: Allowance = { atOnce: 1, everyMs: HOUR }
/** How long after a sign-in a browser has tries of its own for that account, which no other can use up, in ms. */
export const KNOWN_DEVICE_TTL_MS = 90 * DAY

const { name, fullAt } = allowances

/**
 * Whose password is tried, and where: in a browser that may have signed in before, or in a session, which has tries of
 * its own. `account` is the administrator's id, or what was typed where there is no such administrator.
 */
type Try = { account: string; device: string | undefined } | { session: number }

/** By what its tries are counted, and whether the browser has signed in before. */
export type Attempt = { line: string; known: boolean }

/**
 * Allows a caller to try a password, or says how long to wait. The attempt is counted before the password is compared, so
 * that twenty concurrent tries count as twenty.
 * @throws UserError 'too-many' that says how long to wait.
 */
export async function takeAttempt(trying: Try, call: Call): Promise<Attempt> {
  const { empty, ...attempt } = await transaction((tx) => takeIn(tx, trying, call))
  if (empty === undefined) return attempt
  throw tooMany('too-many-passwords', empty.wait)
}

async function takeIn(tx: Transaction, trying: Try, call: Call) {
  const network = call.network ?? 'unknown'
  const own = 'session' in trying ? `session ${trying.session}` : await knownDevice(tx, trying, call)
  const line = `sign-in ${own ?? network}`
  const levels: Level[] = [{ name: line, allowance: perCaller }]
  if (own === undefined && 'account' in trying) {
    const account = `sign-in account ${hashOfToken(trying.account)}`
    levels.push(...widerLevels('sign-in', network, perNetwork), { name: account, allowance: perAccount })
  }
  let empty = await takeFromEach(tx, levels, call.now)
  if (empty?.allowance === perAccount) {
    const lastTry = { name: `sign-in hourly ${network} ${empty.name}`, allowance: hourly }
    if ((await takeFromEach(tx, [lastTry], call.now)) === undefined) empty = undefined
  }
  if (empty?.name === line) await noteGuessing(tx, line, call)
  return { empty, line, known: own !== undefined }
}

/** Once an hour while it lasts. */
async function noteGuessing(tx: Transaction, line: string, call: Call): Promise<void> {
  const noted = await takeFromEach(tx, [{ name: `${line} noted`, allowance: hourly }], call.now)
  if (noted === undefined) await audit(tx, call, 'wrong passwords', `${perCaller.atOnce} in a row`)
}

/** Forgets the tries of a caller after a success. */
export async function attemptSucceeded(tx: Transaction, { line }: Attempt): Promise<void> {
  await tx.delete(allowances).where(eq(name, line))
}

/**
 * Gives a browser tries of its own for the account that it has just signed in to.
 * @param sent the token that the browser has already; kept only if it belongs to this account, because another one may
 * have been planted in the browser by someone who knows it.
 * @returns the token that the browser sends from now on.
 */
export async function rememberDevice(
  tx: Transaction,
  { account, device: sent }: { account: string; device: string | undefined },
  call: Call,
): Promise<string> {
  const isKnown = (await knownDevice(tx, { account, device: sent }, call)) !== undefined
  const device = sent !== undefined && isKnown ? sent : newToken()
  const known = { name: nameOfDevice(device, account), fullAt: call.now.getTime() + KNOWN_DEVICE_TTL_MS }
  await tx.insert(allowances).values(known).onConflictDoUpdate({ target: name, set: known })
  return device
}

async function knownDevice(
  tx: Transaction,
  { account, device }: { account: string; device: string | undefined },
  { now }: Call,
): Promise<string | undefined> {
  if (device === undefined) return undefined
  const moment = now.getTime()
  // One that would be known for longer was stored by a clock that was ahead.
  const isKnown = between(fullAt, moment + 1, moment + KNOWN_DEVICE_TTL_MS)
  const [known] = await tx
    .select({ name })
    .from(allowances)
    .where(and(eq(name, nameOfDevice(device, account)), isKnown))
  return known?.name
}

/** For one account: who has signed in to one may guess at another no more than a visitor. */
function nameOfDevice(device: string, account: string): string {
  return `device ${hashOfToken(device)} ${account}`
}
