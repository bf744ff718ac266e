import ipaddr from 'ipaddr.js'

const IPV6_PARTS_OF_A_NETWORK = 4

/**
 * The same `X-Forwarded-For` without the ports that some proxies add, e.g. `203.0.113.7:4711` or `[2001:db8::1]:443`: with
 * one an entry is no address, and all visitors would count as the proxy.
 */
export function withoutPorts(forwardedFor: string): string {
  const addresses = forwardedFor.split(',').map((entry) => entry.trim())
  return addresses
    .map((entry) => /^(?:([\d.]+):|\[([^\]]+)\]:?)\d*$/.exec(entry)?.slice(1).join('') ?? entry)
    .join(', ')
}

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
