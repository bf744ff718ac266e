import type { Allowance } from '#db/config/setting-values.ts'
import type { Level } from './allowance.ts'

/** A provider gives one customer a /56 or a /48; each /64 in it looks like a household of its own. */
const HOMES_IN_56 = 4
const HOMES_IN_48 = 16
/** Many people share one IPv4 address, but one customer has few addresses of a provider. */
const ADDRESSES_IN_24 = 16

/**
 * The allowances of the wider networks around one, from the narrowest to the widest: each is a small multiple of one
 * network's allowance, far below the number of networks in it.
 * @param network e.g. `203.0.113.7` or `2001:db8:1:2::/64`.
 */
export function widerLevels(purpose: string, network: string, allowance: Allowance): Level[] {
  return widerNetworks(network).map(({ name, times }) => ({
    name: `${purpose} ${name}`,
    allowance: multiplyAllowance(allowance, times),
  }))
}

/** Multiplies an allowance: so many times as much at once, and so many times as often. */
export function multiplyAllowance({ atOnce, everyMs }: Allowance, times: number): Allowance {
  return { atOnce: atOnce * times, everyMs: Math.ceil(everyMs / times) }
}

function widerNetworks(network: string): { name: string; times: number }[] {
  const [, first24] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(network) ?? []
  if (first24 !== undefined) return [{ name: `${first24}.0/24`, times: ADDRESSES_IN_24 }]
  const [, first48, fourth] = /^([\da-f]+:[\da-f]+:[\da-f]+):([\da-f]+)::\/64$/.exec(network) ?? []
  if (first48 === undefined || fourth === undefined) return []
  const subnet = (Number.parseInt(fourth, 16) & 0xff00).toString(16)
  return [
    { name: `${first48}:${subnet}::/56`, times: HOMES_IN_56 },
    { name: `${first48}::/48`, times: HOMES_IN_48 },
  ]
}
