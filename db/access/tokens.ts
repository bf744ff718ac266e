import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** A secret that only its owner keeps: 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** SHA-256 in hex. Only hashes of tokens are stored. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
