import * as z from 'zod/mini'
import type { Config } from '#db/config/config.ts'
import { fileOf, isNew } from '#db/config/database-url.ts'
import { ownAddress } from '#db/config/own-address.ts'
import { isServed } from '#db/storage/locks.ts'
import type { Context } from '../context.ts'
import type { Finding } from './finding.ts'

/** The timeout of a health reply: the site itself may wait five seconds for a libSQL server. */
const HEALTH_TIMEOUT_MS = 7000

type Health = { kind: 'ok' | 'not-running' | 'unresolvable' | 'other-program' } | { kind: 'unhealthy'; detail: string }

/** Whether the site replies, is healthy, and serves from this database, which only the lock beside the file can tell. */
export async function examineAddress({ host, port, databaseUrl }: Config, { db }: Context): Promise<Finding> {
  const name = 'Address'
  const address = ownAddress(host, port)
  const health = await healthAt(address)
  const file = fileOf(databaseUrl)
  const served = file && (await isServed(file))
  switch (health.kind) {
    case 'ok':
      if (served === false) {
        const text = `The site at ${address} does not serve from ${file}: compare DATABASE_URL, or restart the site.`
        return db === undefined ? { name, ok: false, text } : { name, ok: true, warning: true, text }
      }
      return { name, ok: true, text: `the site is running at ${address}` }
    case 'not-running':
      if (served) {
        const text = `A site serves from ${file}, but not at ${address}: compare HOST and PORT.`
        return { name, ok: true, warning: true, text }
      }
      // A start would make an empty database where one may have been lost.
      if (isNew(databaseUrl)) return { name, ok: false, text: `No site is running at ${address}.` }
      return { name, ok: false, text: `No site is running at ${address}: start it, as with \`rsvp serve\`.` }
    case 'unresolvable':
      return { name, ok: false, text: `HOST=${host} is not an address of this computer: change it.` }
    case 'unhealthy':
      return { name, ok: false, text: `The site at ${address} is not well: ${health.detail.replaceAll('\n', ' ')}` }
    case 'other-program': {
      const text = `What listens at ${address} is not this site, or it hangs: see what uses the port, or restart the site.`
      return { name, ok: false, text }
    }
  }
}

const healthReply = z.union([
  z.object({ status: z.literal('ok') }),
  z.object({ status: z.literal(503), detail: z.string() }),
])

async function healthAt(address: string): Promise<Health> {
  try {
    const reply = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    const health = healthReply.parse(await reply.json())
    return health.status === 'ok' ? { kind: 'ok' } : { kind: 'unhealthy', detail: health.detail }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'unresolvable' }
    return { kind: code === 'ECONNREFUSED' ? 'not-running' : 'other-program' }
  }
}
