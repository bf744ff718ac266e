import { and, between, eq } from 'drizzle-orm'
import { type Level, takeFromEach, tooMany, widerLevels } from '#db/allowance.ts'
import { audit } from '#db/audit.ts'
import type { Call } from '#db/call.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import type { Allowance } from '#db/values/limits.ts'
import { hashOfToken, newToken } from './tokens.ts'

const MINUTE = 60 * 1000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The tries of one network, one known browser or one session: five at once, then one every two minutes. */
const perCaller: Allowance = { atOnce: 5, everyMs: 2 * MINUTE }
/** A wider network gets a small multiple of this allowance. */
const perNetwork: Allowance = { atOnce: 10, everyMs: 5 * MINUTE }
/**
 * The tries for one account from all browsers that have never signed in to it. Once they are used up, each network has
 * one try an hour: enough for the owner of the account, while a guesser on a thousand networks gets a thousand.
 */
const perAccount: Allowance = { atOnce: 20, everyMs: HOUR / 20 }
const hourly: Allowance = { atOnce: 1, everyMs: HOUR }
/** How long after a sign-in a browser has tries of its own for that account, in ms. */
export const KNOWN_DEVICE_TTL_MS = 90 * DAY

const { name, fullAt } = allowances

/**
 * An account and the browser in which its password is tried. `account` is the administrator's id, or the typed email if
 * there is no such administrator; `device` is the token of a browser that has signed in before.
 */
type SignInTry = { account: string; device: string | undefined }

/** `line` names the allowance that a try counts against; `known` is whether the browser has signed in before. */
export type Attempt = { line: string; known: boolean }

/**
 * Allows a caller to try a password, or says how long to wait. The attempt is counted before the password is compared, so
 * that twenty concurrent tries count as twenty.
 * @throws UserError 'too-many' that says how long to wait.
 */
export async function takeAttempt(tried: SignInTry | { session: number }, call: Call): Promise<Attempt> {
  const { empty, ...attempt } = await transaction((tx) => takeIn(tx, tried, call))
  if (empty === undefined) return attempt
  throw tooMany('too-many-passwords', empty.wait)
}

async function takeIn(tx: Transaction, tried: SignInTry | { session: number }, call: Call) {
  const network = call.network ?? 'unknown'
  const known = 'session' in tried ? `session ${tried.session}` : await findKnownDevice(tx, tried, call)
  const line = `sign-in ${known ?? network}`
  const levels: Level[] = [{ name: line, allowance: perCaller }]
  if (known === undefined && 'account' in tried) {
    const account = `sign-in account ${hashOfToken(tried.account)}`
    levels.push(...widerLevels('sign-in', network, perNetwork), { name: account, allowance: perAccount })
  }
  let empty = await takeFromEach(tx, levels, call.now)
  if (empty?.allowance === perAccount) {
    const lastTry = { name: `sign-in hourly ${network} ${empty.name}`, allowance: hourly }
    if ((await takeFromEach(tx, [lastTry], call.now)) === undefined) empty = undefined
  }
  if (empty?.name === line) await auditGuessing(tx, line, call)
  return { empty, line, known: known !== undefined }
}

/** At most once an hour while the guessing goes on. */
async function auditGuessing(tx: Transaction, line: string, call: Call): Promise<void> {
  const noted = await takeFromEach(tx, [{ name: `${line} noted`, allowance: hourly }], call.now)
  if (noted === undefined) await audit(tx, call, 'wrong passwords', `${perCaller.atOnce} in a row`)
}

/** Forgets the tries of a caller after a success. */
export async function attemptSucceeded(tx: Transaction, { line }: Attempt): Promise<void> {
  await tx.delete(allowances).where(eq(name, line))
}

/**
 * Gives a browser tries of its own for the account that it has just signed in to.
 * @param tried the token that the browser already has is kept only if it belongs to this account: someone else may have
 * planted another one.
 * @returns the token that the browser sends from now on.
 */
export async function rememberDevice(tx: Transaction, tried: SignInTry, call: Call): Promise<string> {
  const isKnown = (await findKnownDevice(tx, tried, call)) !== undefined
  const device = tried.device !== undefined && isKnown ? tried.device : newToken()
  const row = { name: nameOfDevice(device, tried.account), fullAt: call.now.getTime() + KNOWN_DEVICE_TTL_MS }
  await tx.insert(allowances).values(row).onConflictDoUpdate({ target: name, set: row })
  return device
}

async function findKnownDevice(tx: Transaction, { account, device }: SignInTry, { now }: Call) {
  if (device === undefined) return undefined
  const moment = now.getTime()
  // A later end was stored by a clock that was ahead.
  const isKnown = between(fullAt, moment + 1, moment + KNOWN_DEVICE_TTL_MS)
  const [known] = await tx
    .select({ name })
    .from(allowances)
    .where(and(eq(name, nameOfDevice(device, account)), isKnown))
  return known?.name
}

/** Binds the device to one account: whoever has signed in to one gets no more tries at another than a visitor. */
function nameOfDevice(device: string, account: string): string {
  return `device ${hashOfToken(device)} ${account}`
}
