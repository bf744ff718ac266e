import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { tooMany } from '#db/access/allowance.ts'
import { operation } from '#db/operation.ts'
import { failure } from '#site/calls.ts'
import { browserName } from '#site/server/access/browser-name.ts'
import { log } from '#site/server/log.ts'

const HOUR_MS = 3_600_000
/** The network of each failure that was logged since the hour began. In memory: an outage must not lift the limit. */
let hour = { begins: 0, networks: [] as string[] }

/** @throws UserError 'too-many' if the log has five of the network in this hour, or twenty in all. */
export const logFailure = operation(
  z.extend(failure, { browser: z.string() }),
  async (failed, { network = '', now }) => {
    const age = now.getTime() - hour.begins
    if (age < 0 || age > HOUR_MS) hour = { begins: now.getTime(), networks: [] }
    const { networks } = hour
    if (networks.length >= 20 || networks.filter((each) => each === network).length >= 5)
      throw tooMany(HOUR_MS, (time) => `The log has enough of these. Send the next one in ${time}.`)
    networks.push(network)
    log.warn(failed, 'a part of a page failed in a browser: update the site, or report this line')
  },
)

export function namedBrowser({ request }: APIContext) {
  return { browser: browserName(request.headers.get('user-agent') ?? '') }
}
