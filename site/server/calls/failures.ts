import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { levelsOfNetwork, takeFromEach, tooMany } from '#db/access/allowance.ts'
import { operation } from '#db/operation.ts'
import { transaction } from '#db/storage/client.ts'
import { failure } from '#site/calls.ts'
import { browserName } from '#site/server/access/browser-name.ts'
import { log } from '#site/server/log.ts'

const ofNetwork = { atOnce: 5, everyMs: 10 * 60_000 }
const inAll = { name: 'failures', allowance: { atOnce: 20, everyMs: 3 * 60_000 } }

/** @throws UserError 'too-many' if the log has enough of them. */
export const logFailure = operation(z.extend(failure, { browser: z.string() }), async (failed, call) => {
  const levels = [...levelsOfNetwork('failure', call.network ?? 'unknown', ofNetwork), inAll]
  const empty = await transaction((tx) => takeFromEach(tx, levels, call.now))
  if (empty) throw tooMany(empty.wait, (time) => `The log has enough of these. Send the next one in ${time}.`)
  log.warn(failed, 'a part of a page failed in a browser: update the site, or report this line')
})

export function namedBrowser({ request }: APIContext) {
  return { browser: browserName(request.headers.get('user-agent') ?? '') }
}
