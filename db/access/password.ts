import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { openFairQueue } from '../fair-queue.ts'
import { limit } from '../limits.ts'

/** N is 2^ln. */
type Cost = { ln: number; r: number; p: number }

/** OWASP's password storage cheat sheet (2024): 2^17 blocks of 8 × 128 bytes, once. Takes 128 MiB and about 0.4 s. */
const COST: Cost = { ln: limit('PASSWORD_LN', 17), r: 8, p: 1 }
/** What every hash cost before its cost was stored in it. */
const UNWRITTEN_COST: Cost = { ln: 17, r: 8, p: 1 }
const MEMORY_MAXIMUM = 256 * 1024 * 1024
const PARALLEL_MAXIMUM = 4
const SALT_BYTES = 16
const KEY_BYTES = 32
/** The PHC string format (github.com/P-H-C/phc-string-format): base64 without padding. */
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/
const UNWRITTEN_FORMAT = /^scrypt\$([\w-]{22})\$([\w-]{43})$/

/**
 * Two at once, so that twenty concurrent sign-ins do not use up the machine's memory. Behind fifty others a sign-in would
 * wait for ten seconds, so it is refused: other requests need the processor too.
 */
const inTurn = openFairQueue({ concurrency: 2, maximumWaiting: 50 })
/** A place in the queue: fewer failures go first, and among equals networks take turns. */
type Place = { line: string; rank: number }
/** Setting a password goes first: only an administrator does it. */
const FIRST: Place = { line: '', rank: 0 }

/** What is stored of a password, with what it costs to try one: `$scrypt$ln=17,r=8,p=1$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { ln, r, p } = COST
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(await keyOf(password, salt, COST, FIRST))}`
}

/**
 * Whether a hash was made of this password. Takes as long either way.
 * @throws UserError 'overloaded' when too many passwords are waiting to be compared.
 */
export async function isPasswordOf(hash: string, password: string, place = FIRST): Promise<boolean> {
  const { cost, salt, key } = readHash(hash)
  return timingSafeEqual(key, await keyOf(password, salt, cost, place))
}

/** Whether a hash was made at another cost than the current one. */
export function isOutdated(hash: string): boolean {
  const { ln, r, p } = readHash(hash).cost
  return ln !== COST.ln || r !== COST.r || p !== COST.p
}

function readHash(hash: string): { cost: Cost; salt: Buffer; key: Buffer } {
  const [, ...unwritten] = UNWRITTEN_FORMAT.exec(hash) ?? []
  const [, ln, r, p, ...written] = FORMAT.exec(hash) ?? []
  const cost = ln === undefined ? UNWRITTEN_COST : { ln: Number(ln), r: Number(r), p: Number(p) }
  const [salt, key] = [...unwritten, ...written]
  if (salt === undefined || key === undefined || !isAffordable(cost)) {
    throw new Error('The stored password hash cannot be read.')
  }
  // Decodes both base64 and base64url.
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
}

/** A hash that another program wrote into the database must not use up the machine's memory. */
function isAffordable({ ln, r, p }: Cost): boolean {
  return ln > 0 && r > 0 && p > 0 && p <= PARALLEL_MAXIMUM && memoryOf({ ln, r }) <= MEMORY_MAXIMUM
}

function memoryOf({ ln, r }: Pick<Cost, 'ln' | 'r'>): number {
  return 128 * r * 2 ** ln
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
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
