import querystring from 'node:querystring'

const PUBLIC_PAGES = ['/', '/share', '/answer', '/privacy', '/invitation', '/guard', '/mail/stop', '/calendar.ics']

/**
 * The public page that a damaged link means, with the query, e.g. `/share?x` for `/Share).?x`, `//share?x` or `/share&a=b?x`; undefined if
 * the address is that of a page, or means none.
 */
export function repairedAddress(url: string): string | undefined {
  if (!url.startsWith('/')) return undefined
  const end = url.search(/\?|$/)
  const [path = ''] = querystring.unescape(url.slice(0, end)).split(/[&;=]/, 1)
  const inner = `/${/[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(path)?.[0] ?? ''}`.toLowerCase()
  return inner !== url.slice(0, end) && PUBLIC_PAGES.includes(inner) ? inner + url.slice(end) : undefined
}
