import type { Config } from '#db/config/config.ts'

const YEAR_S = 365 * 24 * 60 * 60

/**
 * The headers of every reply, including those sent before Fastify has a request, where no plugin could add them. Pages set
 * their own content security policy with hashes; everything else may load nothing.
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
