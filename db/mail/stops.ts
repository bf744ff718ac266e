import { readKeyedHash } from '#db/secret/keyed-hash.ts'

/** The path that stops all messages to an address, for the link in each of them. */
export async function stopPath(address: string): Promise<string> {
  const hash = await readKeyedHash()
  return `/mail/stop?key=${hash('mail', address.toLowerCase())}`
}
