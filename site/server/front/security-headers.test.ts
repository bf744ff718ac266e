import { describe, expect, it } from 'vitest'
import { securityHeaders } from './security-headers.ts'

const everywhere = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

describe('securityHeaders', () => {
  it.each([undefined, 'http://rsvp.example.org', 'http://localhost:4321'])('of %s are the usual ones', (publicUrl) => {
    expect(securityHeaders({ publicUrl })).toEqual(everywhere)
  })

  it('of a site with https keep it there for a year', () => {
    expect(securityHeaders({ publicUrl: 'https://rsvp.example.org' })).toEqual({
      ...everywhere,
      'strict-transport-security': 'max-age=31536000',
    })
  })
})
