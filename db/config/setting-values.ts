import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'

const MINUTE_MS = 60_000
// Neither part may begin with a hyphen, which would be an option of ssh. A shell on the other side splits at spaces.
const SSH = /^ssh:\/\/((?:[a-z_][\w.-]*@)?(?:[a-z\d][a-z\d.-]*|\[[\da-f:.]+\]))(?::(\d{1,5}))?(\/[\w./~+-]*)$/i
const S3 = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w./+=-]*))?$/
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

/** BACKUP_COPY_TO, parsed. */
export type CopyAddress =
  | { kind: 'folder'; folder: string }
  | { kind: 'ssh'; login: string; port: string | undefined; folder: string }
  | { kind: 's3'; bucket: string; prefix: string }

export function copyAddressOf(text: string): CopyAddress | undefined {
  if (isAbsolute(text)) return { kind: 'folder', folder: text }
  const [, login, port, path] = SSH.exec(text) ?? []
  if (login !== undefined && path !== undefined) return { kind: 'ssh', login, port, folder: withoutEnd(path) || '/' }
  const [, bucket, prefix = ''] = S3.exec(text) ?? []
  if (bucket !== undefined) return { kind: 's3', bucket, prefix: withoutEnd(prefix) }
  return undefined
}

/** An address, or a network, e.g. 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0 || rest.length > 0) return false
  // Not /0, which would trust every client to say where it comes from.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function withoutEnd(path: string): string {
  return path.replace(/\/+$/, '')
}

/** The address of a storage server, without a query or credentials, which messages would show. */
export function isServer(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, search, hash, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && search + hash + username + password === ''
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
