import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import querystring from 'node:querystring'
import ipaddr from 'ipaddr.js'
import { UserError } from '#db/values/errors.ts'
import { isLoopback } from '#db/values/url.ts'

/** Headers of a forwarded request: behind a proxy, a loopback address does not mean this computer. */
const FORWARDING =
  /^(via|forwarded(-.*)?|x-forwarded(-.*)?|x-original-.*|x-envoy-.*|x-real-ip|cf-.*|cdn-loop|.*client-?ip)$/

const THIS_COMPUTER = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
/**
 * Names that no public DNS can point at this machine: addresses, names without a dot, and those reserved for local use.
 * Any other could be an attacker's domain that resolves here so that its pages may read ours (DNS rebinding).
 */
const LOCAL_NAME = /^([\d.]+|\[[\da-f:.]+\]|[\w-]+|[\w.-]+\.(local|lan|internal|home\.arpa))(:\d{1,5})?$/i
const HOST = /^([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i
/** Mail programs post to this address from their own pages (RFC 8058). It has a signed key that names the recipient. */
const STOP_MAIL = /^\/mail\/stop\?/
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const ADDRESS_MAXIMUM = 2048
/** What a proxy could read as another path: `//`, `/..`, `\`, `;`, `#`, and encoded slashes, dots and percent signs. */
const ODD_PATH = /\/\/|\\|;|#|%5c|%2f|%2e|%25|%00|\/\.\.?(\/|$)/i
const PUBLIC_PAGES = ['/', '/share', '/answer', '/privacy', '/invitation', '/guard', '/mail/stop', '/calendar.ics']
type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersion'>
export type Connected = Request & { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> }

type Rules = {
  /** Open mode: no sign-in, and only this computer is served. */
  onlyThisComputer: boolean
  publicUrl: string | undefined
}

const IPV6_PARTS_OF_A_NETWORK = 4

/** The reason to refuse a request before anything else handles it, or undefined. */
export function refusal(request: Request, rules: Rules): UserError | undefined {
  return (
    misdirected(request, rules) ??
    malformed(request) ??
    fromAnotherSite(request, rules) ??
    notThisComputer(request, rules)
  )
}

/**
 * Whether a request was sent from this computer, so that its sender may guard an open site. The rules of open mode
 * exclude requests that a proxy forwarded. False for a site with a public address, because a proxy on this computer may
 * forward all requests to it without a header that says so.
 */
export function isFromThisComputer(request: Connected, publicUrl: string | undefined): boolean {
  const isPublished = publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)
  const { remoteAddress = '' } = request.socket
  const isLocal = ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
  return !isPublished && isLocal && refusal(request, { onlyThisComputer: true, publicUrl }) === undefined
}

/**
 * The network by which limits count: an IPv4 address, or the first 64 bits of an IPv6 address, because one household has
 * all addresses with the same 64 bits.
 * @param address as reported by the trusted proxies; may be anything.
 * @param peer the other end of the connection, used if `address` is invalid.
 */
export function networkOf(address: string, peer = ''): string {
  const known = ipaddr.isValid(address) ? address : peer
  if (!ipaddr.isValid(known)) return 'unknown'
  const parsed = ipaddr.process(known)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const first = parsed.parts.slice(0, IPV6_PARTS_OF_A_NETWORK).map((part) => part.toString(16))
  return `${first.join(':')}::/64`
}

/**
 * The address of the public page that a damaged link was made for, with its query, e.g. `/share?x` for `/Share).?x`,
 * `//share?x` or `/share&a=b?x`; undefined if the link is not damaged, or was made for no public page.
 */
export function repairedAddress(url: string): string | undefined {
  if (!url.startsWith('/')) return undefined
  const end = url.search(/\?|$/)
  const [path = ''] = querystring.unescape(url.slice(0, end)).split(/[&;=]/, 1)
  const inner = `/${/[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(path)?.[0] ?? ''}`.toLowerCase()
  return inner !== url.slice(0, end) && PUBLIC_PAGES.includes(inner) ? inner + url.slice(end) : undefined
}

function malformed({ url = '', headers, rawHeaders }: Request): UserError | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1 || !isHost(headers.host)) {
    return new UserError('invalid', 'The request needs exactly one Host header with the name of this site.')
  }
  if (url.length > ADDRESS_MAXIMUM) return new UserError('address-too-long', 'The address is too long.')
  const path = url.split('?', 1)[0] ?? ''
  if (!path.startsWith('/') || ODD_PATH.test(path)) {
    return new UserError('invalid', 'This address does not have the form of addresses on this site. Check the link.')
  }
  return undefined
}

/** The URL parser also checks the ranges of ports and address parts. */
function isHost(host = ''): boolean {
  return HOST.test(host) && URL.canParse(`http://${host}`)
}

/** Browsers send HTTP/1.1 and old proxies HTTP/1.0. A malformed Host is left to `malformed`. */
function misdirected({ headers, httpVersion }: Request, rules: Rules): UserError | undefined {
  const { host = '' } = headers
  if (rules.onlyThisComputer) {
    return httpVersion !== '1.1' || (HOST.test(host) && !THIS_COMPUTER.test(host)) ? onlyHere() : undefined
  }
  if (!isHost(host) || isPublic(host, rules) || LOCAL_NAME.test(host)) return undefined
  return new UserError(
    'misdirected',
    'This site is not known by that name and port. If it should be, set PUBLIC_URL to its address; otherwise let the proxy pass on the Host header as it received it.',
  )
}

/** Whether a Host is that of the public address. The URL parser drops the default port and lowercases the name. */
function isPublic(host: string, { publicUrl }: Rules): boolean {
  if (publicUrl === undefined) return false
  const { protocol, host: known } = new URL(publicUrl)
  return new URL(`${protocol}//${host}`).host === known
}

function fromAnotherSite({ method = 'GET', url = '', headers }: Request, rules: Rules): UserError | undefined {
  if (SAFE_METHODS.has(method) || (method === 'POST' && STOP_MAIL.test(url)) || !isForeign(headers, rules))
    return undefined
  return new UserError('forbidden', foreignReason(headers, rules))
}

function foreignReason({ origin, host }: IncomingHttpHeaders, { publicUrl }: Rules): string {
  if (publicUrl === undefined && origin === new URL(`https://${host}`).origin)
    return `This request came over https, which the site does not know of. Set PUBLIC_URL to its address: ${origin}`
  return `This request came from another site. Open ${publicUrl ?? 'the page here'} and do it there.`
}

function notThisComputer({ headers }: Request, rules: Rules): UserError | undefined {
  if (!rules.onlyThisComputer) return undefined
  const forwarded = Object.keys(headers).some((name) => FORWARDING.test(name))
  const referred = headers.referer !== undefined && !isOwnOrigin(headers.referer, headers, rules)
  return forwarded || referred || isForeign(headers, rules) ? onlyHere() : undefined
}

function onlyHere(): UserError {
  return new UserError(
    'misdirected',
    'In open mode this site answers only on this computer, at http://localhost. To share it, guard it there first, at /guard.',
  )
}

/** Browsers say which site a request comes from. A request without these headers comes from a program. */
function isForeign(headers: IncomingHttpHeaders, rules: Rules): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  // A page of ours sends this if a proxy has set Referrer-Policy to no-referrer. No page can set Sec-Fetch-Site.
  if (headers.origin === 'null' && site === 'same-origin') return false
  return headers.origin !== undefined && !isOwnOrigin(headers.origin, headers, rules)
}

function isOwnOrigin(address: string, headers: IncomingHttpHeaders, { publicUrl }: Rules): boolean {
  if (!URL.canParse(address)) return false
  // The URL parser drops the default port, which some programs send.
  return new URL(address).origin === (publicUrl ?? new URL(`http://${headers.host}`).origin)
}
