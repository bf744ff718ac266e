import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { openFairQueue } from '#db/fair-queue.ts'

/** OWASP's password storage cheat sheet (2024): 2^17 blocks of 8 × 128 bytes, once. Takes 128 MiB and about 0.4 s. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
const MEMORY_MAXIMUM = 256 * 1024 * 1024
const SALT_BYTES = 16
const KEY_BYTES = 32
const FORMAT = /^scrypt\$([\w-]{22})\$([\w-]{43})$/

/**
 * Two at once, so that twenty who sign in together do not take the machine's memory. Who waits for more than fifty waits
 * for ten seconds, and others need the machine as well.
 */
const inTurn = openFairQueue({ atOnce: 2, waitingMaximum: 50 })
/** Whose turn it is: by network, and who has guessed less goes first. */
type Place = { line: string; rank: number }
/** Who sets a password is no stranger. */
const FIRST: Place = { line: '', rank: 0 }

/** What is stored of a password: `scrypt$salt$key`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return `scrypt$${salt.toString('base64url')}$${(await keyOf(password, salt, FIRST)).toString('base64url')}`
}

/**
 * Whether a hash was made of this password. Takes as long either way.
 * @throws UserError 'overloaded' where very many want to know that at once.
 */
export async function isPasswordOf(hash: string, password: string, place = FIRST): Promise<boolean> {
  const [, salt, key] = FORMAT.exec(hash) ?? []
  if (salt === undefined || key === undefined) throw new Error('The stored password hash cannot be read.')
  return timingSafeEqual(Buffer.from(key, 'base64url'), await keyOf(password, Buffer.from(salt, 'base64url'), place))
}

/** The same letters can be typed in several ways: composed, as on a keyboard, or of parts, as on some phones. */
function keyOf(password: string, salt: Buffer, place: Place): Promise<Buffer> {
  const typed = password.trim().normalize('NFKC')
  const options = { ...COST, maxmem: MEMORY_MAXIMUM }
  return inTurn(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(typed, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
      }),
    place,
  )
}
