import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { UserError } from '#db/values/errors.ts'
import { overridable } from '#db/values/test-override.ts'

/** OWASP's password storage cheat sheet (2024): 2^17 blocks of 8 × 128 bytes, once. Takes 128 MiB and about 0.4 s. */
const LN_OF_PRODUCT = 17
const LN = overridable('PASSWORD_LN', LN_OF_PRODUCT)
/** In bytes: what the blocks take, and as much for the rest. */
const MEMORY_MAXIMUM = 256 * 1024 * 1024
const SALT_BYTES = 16
const KEY_BYTES = 32
/** The PHC string format (github.com/P-H-C/phc-string-format): base64 without padding. */
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=8,p=1\$([\w+/]{22})\$([\w+/]{43})$/

/** So that twenty concurrent sign-ins do not use up the machine's memory. */
const inTurn = pLimit(2)
/** Behind so many a sign-in waits for ten seconds; other requests need the processor too. */
const WAITING_MAXIMUM = 50

/** Of no password: comparing with it takes as long as with a stored one. */
export const UNKNOWN_HASH = `$scrypt$ln=${LN},r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Of zxcvbn's five, from 0: 2 takes more than a million guesses. */
const LEAST_SCORE = 2
/** Longer passwords are judged by their beginning: judging all of one takes up to a second, in which no one is served. */
const JUDGED_LENGTH = 64

/** The stored hash of a password, with the cost of trying one: `$scrypt$ln=17,r=8,p=1$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf(password, salt, LN)
  return `$scrypt$ln=${LN},r=8,p=1$${base64(salt)}$${base64(key)}`
}

/**
 * Whether a hash was made of this password. Takes as long either way.
 * @param isKnown false for whoever may be guessing.
 * @throws UserError 'overloaded' for those when too many passwords are waiting to be compared.
 */
export async function isPasswordOf(hash: string, password: string, isKnown = true): Promise<boolean> {
  const { ln, salt, key } = readHash(hash)
  if (!isKnown && inTurn.pendingCount >= WAITING_MAXIMUM) {
    throw new UserError('site-busy')
  }
  return timingSafeEqual(key, await keyOf(password, salt, ln))
}

function readHash(hash: string): { ln: number; salt: Buffer; key: Buffer } {
  const [, cost, salt = '', key = ''] = FORMAT.exec(hash) ?? []
  const ln = Number(cost)
  // One that another program wrote into the database must not use up the machine's memory.
  if (!(ln > 0 && ln <= LN_OF_PRODUCT)) throw new Error('The stored password hash cannot be read.')
  return { ln, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** The same letters can be typed in several ways: composed, as on a keyboard, or of parts, as on some phones. */
function keyOf(password: string, salt: Buffer, ln: number): Promise<Buffer> {
  const typed = password.trim().normalize('NFKC')
  const options = { N: 2 ** ln, r: 8, p: 1, maxmem: MEMORY_MAXIMUM }
  return inTurn(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(typed, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
      }),
  )
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
  if (score < LEAST_SCORE) throw new UserError('password-common').at('password')
}
