import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { fieldError, UserError } from '#db/errors.ts'
import { openFairQueue } from '#db/fair-queue.ts'
import { db, transaction } from '#db/storage/client.ts'
import { overridable } from '#db/test-override.ts'
import { administrators } from './table.ts'

/** N is 2^ln. */
type Cost = { ln: number; r: number; p: number }

/** OWASP's password storage cheat sheet (2024): 2^17 blocks of 8 × 128 bytes, once. Takes 128 MiB and about 0.4 s. */
const COST: Cost = { ln: overridable('PASSWORD_LN', 17), r: 8, p: 1 }
/** The cost of every hash in the first format, `scrypt$salt$key` in base64url, which does not hold it. */
const LEGACY_COST: Cost = { ln: 17, r: 8, p: 1 }
const MEMORY_MAXIMUM = 256 * 1024 * 1024
const PARALLEL_MAXIMUM = 4
const SALT_BYTES = 16
const KEY_BYTES = 32
/** The PHC string format (github.com/P-H-C/phc-string-format): base64 without padding. */
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([\w+/]{22})\$([\w+/]{43})$/
const LEGACY_FORMAT = /^scrypt\$([\w-]{22})\$([\w-]{43})$/

/**
 * Two at once, so that twenty concurrent sign-ins do not use up the machine's memory. Behind fifty others a sign-in would
 * wait for ten seconds, so it is refused: other requests need the processor too.
 */
const inTurn = openFairQueue({ concurrency: 2, maximumWaiting: 50 })
/** A place in the queue: fewer failures go first, and among equals networks take turns. */
type Place = { line: string; rank: number }
/** Setting a password goes first: only an administrator does it. */
const FIRST: Place = { line: '', rank: 0 }

/** Of no password: comparing with it takes as long as with a stored one. */
export const UNKNOWN_HASH = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Of zxcvbn's five, from 0: 2 takes more than a million guesses. */
const LEAST_SCORE = 2
/** Longer passwords are judged by their beginning: judging all of one takes up to a second, in which no one is served. */
const JUDGED_LENGTH = 64

/** The stored hash of a password, with the cost of trying one: `$scrypt$ln=17,r=8,p=1$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf(password, salt, COST, FIRST)
  const { ln, r, p } = COST
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(key)}`
}

/**
 * Whether a hash was made of this password. Takes as long either way.
 * @throws UserError 'overloaded' when too many passwords are waiting to be compared.
 */
export async function isPasswordOf(hash: string, password: string, place = FIRST): Promise<boolean> {
  const { cost, salt, key } = readHash(hash)
  return timingSafeEqual(key, await keyOf(password, salt, cost, place))
}

/**
 * Whether guessing costs less with this hash than with one that is made now.
 * @internal Exported for its test.
 */
export function isOutdated(hash: string): boolean {
  return workOf(readHash(hash).cost) < workOf(COST)
}

function readHash(hash: string): { cost: Cost; salt: Buffer; key: Buffer } {
  const legacy = LEGACY_FORMAT.exec(hash)
  const [, ln, r, p, ...parts] = FORMAT.exec(hash) ?? []
  const cost = legacy ? LEGACY_COST : { ln: Number(ln), r: Number(r), p: Number(p) }
  // Where neither matched, it is a cost of NaN.
  if (!isAffordable(cost)) throw new Error('The stored password hash cannot be read.')
  const [salt = '', key = ''] = legacy ? legacy.slice(1) : parts
  // Node reads both alphabets of base64 under either name.
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
}

function workOf({ ln, r, p }: Cost): number {
  return memoryOf({ ln, r }) * p
}

/** A hash that another program wrote into the database must not use up the machine's memory. */
function isAffordable({ ln, r, p }: Cost): boolean {
  return ln > 0 && r > 0 && p > 0 && p <= PARALLEL_MAXIMUM && memoryOf({ ln, r }) <= MEMORY_MAXIMUM
}

function memoryOf({ ln, r }: Pick<Cost, 'ln' | 'r'>): number {
  return 128 * r * 2 ** ln
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** The same letters can be typed in several ways: composed, as on a keyboard, or of parts, as on some phones. */
function keyOf(password: string, salt: Buffer, { ln, r, p }: Cost, place: Place): Promise<Buffer> {
  const typed = password.trim().normalize('NFKC')
  // What the blocks take, and a little for the rest.
  const options = { N: 2 ** ln, r, p, maxmem: 2 * MEMORY_MAXIMUM }
  return inTurn(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(typed, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
      }),
    place,
  )
}

/**
 * Replaces a cheap hash while the password is at hand. If that fails, the sign-in succeeds all the same.
 * @returns the hash that is stored from now on.
 */
export async function renewHash(id: number, hash: string, password: string): Promise<string> {
  if (!isOutdated(hash)) return hash
  try {
    const passwordHash = await hashPassword(password)
    const isReplaced = and(eq(administrators.id, id), eq(administrators.passwordHash, hash))
    const renewed = await transaction((tx) =>
      tx.update(administrators).set({ passwordHash }).where(isReplaced).returning({ id: administrators.id }),
    )
    if (renewed.length > 0) return passwordHash
    // A concurrent sign-in may have replaced it already, or the password was changed to another one.
    const [stored] = await db.select().from(administrators).where(eq(administrators.id, id))
    return stored?.passwordHash && (await isPasswordOf(stored.passwordHash, password)) ? stored.passwordHash : hash
  } catch (error) {
    if (error instanceof UserError) return hash
    throw error
  }
}

/** @throws UserError 'invalid' for a password that is among those that guessers try first. */
export async function assertUncommon(password: string): Promise<void> {
  // Takes a moment and some megabytes, so only when a password is chosen.
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const options = { dictionary, graphs: adjacencyGraphs, maxLength: JUDGED_LENGTH }
  const { score } = new ZxcvbnFactory(options).check(password)
  if (score < LEAST_SCORE)
    throw fieldError(
      'password',
      'Guessers try this password first. Use three or four words that do not belong together.',
    )
}
