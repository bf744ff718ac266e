import ipaddr from 'ipaddr.js'

const IPV6_PARTS_OF_A_NETWORK = 4

/**
 * The network that limits count by: an IPv4 address, or the first 64 bits of an IPv6 address, because one household holds
 * all addresses below them.
 * @param address as reported by the trusted proxies; may be anything.
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
