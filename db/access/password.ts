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

/** Twenty concurrent sign-ins must not use up the machine's memory. */
const inTurn = pLimit(2)
/** The most password checks that may wait, about ten seconds of work; other requests need the processor too. */
const WAITING_MAXIMUM = 50

/** The hash of no password, so that an unknown email takes as long as a known one. */
export const UNKNOWN_HASH = `$scrypt$ln=${LN},r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** The lowest accepted score of zxcvbn (0 to 4): 2 takes more than a million guesses. */
const LEAST_SCORE = 2
/** Longer passwords are judged by their beginning: judging a whole one blocks the site for up to a second. */
const JUDGED_LENGTH = 64

/** E.g. `$scrypt$ln=17,r=8,p=1$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf(password, salt, LN)
  return `$scrypt$ln=${LN},r=8,p=1$${base64(salt)}$${base64(key)}`
}

/**
 * Whether a hash was made of this password. Takes the same time either way.
 * @param isKnown false for a caller who may be guessing.
 * @throws UserError 'overloaded' for a caller who may be guessing, while too many checks wait.
 */
export async function isPasswordOf(hash: string, password: string, isKnown = true): Promise<boolean> {
  const { ln, salt, key } = readHash(hash)
  if (!isKnown && inTurn.pendingCount >= WAITING_MAXIMUM) throw new UserError('site-busy')
  return timingSafeEqual(key, await keyOf(password, salt, ln))
}

function readHash(hash: string): { ln: number; salt: Buffer; key: Buffer } {
  const [, cost, salt = '', key = ''] = FORMAT.exec(hash) ?? []
  const ln = Number(cost)
  // A hash that another program has written must not use up the machine's memory.
  if (!(ln > 0 && ln <= LN_OF_PRODUCT)) throw new Error('The stored password hash cannot be read.')
  return { ln, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** Normalizes first: the same letter can be typed composed or in parts, as on some phones. */
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

/** @throws UserError 'invalid' for a password that guessers try early. */
export async function assertUncommon(password: string): Promise<void> {
  // Loaded here, because it takes megabytes and is needed only when a password is chosen.
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const options = { dictionary, graphs: adjacencyGraphs, maxLength: JUDGED_LENGTH }
  const { score } = new ZxcvbnFactory(options).check(password)
  if (score < LEAST_SCORE) throw new UserError('password-common').at('password')
}
