import { createHash, randomBytes } from 'node:crypto'

const MINUTE = 60 * 1000
const HOUR = 60 * MINUTE

/** A session ends when it has not been used for this long, … */
export const IDLE_MAXIMUM_MS = 3 * HOUR
/** … and after this long in any case. */
export const SESSION_MAXIMUM_MS = 12 * HOUR
/** When a session was last used is stored at most this often: not every request becomes a write. */
export const LAST_USED_INTERVAL_MS = MINUTE

const TOKEN_BYTES = 32

/** The session token in the administrator's browser: 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** The hash of a token, in hex: only this is stored. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** What a browser keeps after a sign-in. The tokens cannot be read again: only their hashes are stored. */
export type SignedIn = {
  /** Gives access to the administration while the session lasts. */
  token: string
  /** Gives no access; a browser that sends it does not wait because of what others try. */
  device: string
}
