import type { Config } from '#db/config/config.ts'

const YEAR_S = 365 * 24 * 60 * 60

/**
 * The headers of every answer, also of those that are made before Fastify has a request, where no plugin could add
 * them. Pages bring a content security policy of their own, with hashes; everything else needs nothing at all.
 */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
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
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${YEAR_S}` }),
  }
}
