import { expect } from 'vitest'

export type Headers = Record<string, string | string[] | undefined>

/** What nothing but a page needs is nothing. */
const NOTHING = "default-src 'none';frame-ancestors 'none'"

/** The headers that every reply carries, and those that none does. */
export function expectSecurityHeaders(headers: Headers, { secure = false } = {}): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-dns-prefetch-control': 'off',
    'x-permitted-cross-domain-policies': 'none',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  })
  expect(headers['strict-transport-security']).toBe(secure ? 'max-age=31536000' : undefined)
  expectPolicy(headers)
  const told = Object.keys(headers).filter((name) => /^(server|x-powered-by|via|access-control-.*)$/.test(name))
  expect(told).toEqual([])
}

/** A page may load what it names by hash; nothing else may load anything. No reply can be framed. */
function expectPolicy(headers: Headers): void {
  const policy = String(headers['content-security-policy'])
  if (!String(headers['content-type']).startsWith('text/html')) {
    expect(policy).toBe(NOTHING)
    return
  }
  const rules = new Map(policy.split(';').map((rule) => [rule.trim().split(' ', 1)[0], rule.trim()]))
  expect(rules.get('default-src')).toBe("default-src 'none'")
  expect(rules.get('frame-ancestors')).toBe("frame-ancestors 'none'")
  expect(rules.get('base-uri')).toBe("base-uri 'none'")
  expect(rules.get('form-action')).toBe("form-action 'self'")
  expect(rules.get('script-src')).toMatch(/^script-src 'self'( 'sha256-[\w+/]{43}=')+$/)
}

/** The headers of a reply as it came over the connection. */
export function headersIn(text: string): Headers {
  const [head = ''] = text.split('\r\n\r\n')
  const lines = head.split('\r\n').slice(1)
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}
