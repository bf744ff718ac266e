import { isIP } from 'node:net'

const MINUTE_MS = 60_000

/** `atOnce` at first, then one every `everyMs` ms. */
export type Allowance = { atOnce: number; everyMs: number }

/** E.g. 60/30: 60 at once, then 30 per minute. */
export function allowanceOf(limit: string): Allowance | undefined {
  const [atOnce, perMinute] = limit.split('/').map(Number)
  if (atOnce === undefined || perMinute === undefined) return undefined
  return { atOnce, everyMs: Math.ceil(MINUTE_MS / perMinute) }
}

export function listed(list: string): string[] {
  return list.split(/[\s,]+/).filter((item) => item !== '')
}

/** An address, or a network, e.g. 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0 || rest.length > 0) return false
  // Not /0, which would trust every client to say where it comes from.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** E.g. `smtp://user:password@mail.example.org:587`. User and password come together, decodable. */
export function isMailServer(url: string): boolean {
  try {
    const { protocol, hostname, username, password, pathname, search, hash } = new URL(url)
    for (const part of [username, password]) decodeURIComponent(part)
    const isWhole = hostname !== '' && /^\/?$/.test(pathname) && hash === '' && (username === '') === (password === '')
    return isWhole && /^(smtps?:|smtp:\?tls=off)$/.test(protocol + search)
  } catch {
    return false
  }
}
