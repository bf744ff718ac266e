import * as z from 'zod/mini'
import type { Config } from '#db/config.ts'
import type { Finding } from './finding.ts'

/** How long the site may take to say how it is, in ms: it asks a libSQL server for five seconds. */
const PATIENCE = 7000

type Health = { kind: 'ok' | 'nobody' | 'nowhere' | 'something else' } | { kind: 'unwell'; detail: string }

/** A site that is not running is no fault; one that is not well is, and something else in its place. */
export async function examineAddress({ host, port }: Config): Promise<Finding> {
  const name = 'Address'
  const here = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const address = `http://${here.includes(':') ? `[${here}]` : here}:${port}`
  const health = await healthAt(address)
  switch (health.kind) {
    case 'ok':
      return { name, ok: true, text: `the site answers at ${address}` }
    case 'nobody':
      return { name, ok: true, text: `no site is running at ${address}; \`rsvp serve\` starts it` }
    case 'nowhere':
      return { name, ok: false, text: `HOST=${host} is not an address of this computer: change it.` }
    case 'unwell':
      return { name, ok: false, text: `The site at ${address} is not well: ${health.detail.replaceAll('\n', ' ')}` }
    case 'something else': {
      const text = `What answers at ${address} is not this site, or it hangs: see what uses the port, or restart the site.`
      return { name, ok: false, text }
    }
  }
}

const wellOrNot = z.union([
  z.object({ status: z.literal('ok') }),
  z.object({ status: z.literal(503), detail: z.string() }),
])

async function healthAt(address: string): Promise<Health> {
  try {
    const answer = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(PATIENCE) })
    const health = wellOrNot.parse(await answer.json())
    return health.status === 'ok' ? { kind: 'ok' } : { kind: 'unwell', detail: health.detail }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'nowhere' }
    return { kind: code === 'ECONNREFUSED' ? 'nobody' : 'something else' }
  }
}
