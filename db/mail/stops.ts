import type { KeyedHash } from '#db/secret/keyed-hash.ts'

/** The page that stops messages to an address, which it does not contain. */
export function stopPath(address: string, hash: KeyedHash): string {
  const addressHash = hash('address', address.toLowerCase())
  return `/mail/stop?key=${addressHash}.${hash('stop', addressHash)}`
}
