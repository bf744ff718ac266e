import ipaddr from 'ipaddr.js'

const IPV6_PARTS_OF_A_NETWORK = 4

/**
 * Whose request counts together when something is limited: an IPv4 address, or the first 64 bits of an IPv6 address,
 * of which one household has all the rest.
 * @param address as the proxies we trust tell it, which may be anything.
 * @param peer the other end of the connection.
 */
export function networkOf(address: string, peer = ''): string {
  const known = ipaddr.isValid(address) ? address : peer
  if (!ipaddr.isValid(known)) return 'unknown'
  const parsed = ipaddr.process(known)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const first = parsed.parts.slice(0, IPV6_PARTS_OF_A_NETWORK).map((part) => part.toString(16))
  return `${first.join(':')}::/64`
}
