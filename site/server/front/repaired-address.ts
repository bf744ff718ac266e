import type { IncomingMessage } from 'node:http'
import querystring from 'node:querystring'

/** The pages that people pass on. */
const PASSED_ON = ['/', '/share', '/answer', '/privacy', '/invitation', '/guard', '/mail/stop', '/calendar.ics']
const OWN_CALENDAR = /^\/calendar\/own\/[\w-]{22}\.ics$/

/**
 * The public page that is meant by an address with anything but letters and digits around it, e.g. `/Share).` or
 * `//share?x`, with the query; undefined if the address is exact.
 */
export function meantAddress({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return undefined
  const end = url.search(/\?|$/)
  const path = querystring.unescape(url.slice(0, end))
  const inner = `/${/[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(path)?.[0] ?? ''}`
  const page = OWN_CALENDAR.test(inner) ? inner : PASSED_ON.find((each) => each === inner.toLowerCase())
  return page === undefined || page === url.slice(0, end) ? undefined : page + url.slice(end)
}
