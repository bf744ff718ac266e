import * as z from 'zod/mini'
import type { Config } from '#db/config/config.ts'
import { fileOf, isNew, ownAddress } from '#db/config/places.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { isServed } from '#db/storage/locks.ts'
import type { Context } from '../context.ts'
import { type Finding, fine, warning, wrong } from './finding.ts'

/** The timeout of a health reply: the site itself may wait five seconds for a libSQL server. */
const HEALTH_TIMEOUT_MS = 7000

/** Whether the site replies, is healthy and serves from this database, which only the lock beside the file tells. */
export async function examineAddress({ host, port, databaseUrl }: Config, { db }: Context): Promise<Finding> {
  const name = 'Address'
  const address = ownAddress(host, port)
  const health = await healthAt(address)
  const file = fileOf(databaseUrl)
  const served = file && (await isServed(file))
  switch (health) {
    case 'ok': {
      if (served !== false) return fine(name, `the site is running at ${address}`)
      const text = `The site at ${address} does not serve from ${file}: compare DATABASE_URL, or restart the site.`
      return db === undefined ? wrong(name, text) : warning(name, text)
    }
    case 'not running':
      if (served) return warning(name, `A site serves from ${file}, but not at ${address}: compare HOST and PORT.`)
      // A start would create an empty database, and the old one may have been lost.
      if (isNew(databaseUrl)) return wrong(name, `No site is running at ${address}.`)
      return wrong(name, `No site is running at ${address}: start it, as with \`rsvp serve\`.`)
    case 'unresolvable':
      return wrong(name, `HOST=${host} is not an address of this computer: change it.`)
    case 'another program': {
      const todo = 'see what uses the port, or restart the site.'
      return wrong(name, `What listens at ${address} is not this site, or it hangs: ${todo}`)
    }
    default:
      return wrong(name, `The site at ${address} is unhealthy: ${health.detail.replaceAll('\n', ' ')}`)
  }
}

const healthReply = z.union([
  z.object({ status: z.literal('ok') }),
  z.object({ status: z.literal(503), detail: z.string() }),
])

async function healthAt(address: string) {
  try {
    const reply = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    const health = healthReply.parse(await reply.json())
    return health.status === 'ok' ? 'ok' : { detail: health.detail }
  } catch (error) {
    const code = error instanceof Error ? errorCodeOf(error.cause) : undefined
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unresolvable'
    return code === 'ECONNREFUSED' ? 'not running' : 'another program'
  }
}
