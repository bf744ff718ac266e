import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { parseInput } from '#db/call.ts'
import { UserError } from '#db/values/errors.ts'
import { failure } from '#site/calls.ts'
import { browserName } from '#site/server/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { log } from '#site/server/log.ts'
import { buildFolder } from '#site/server/program.ts'

const LOGGED_MAXIMUM = 50
const logged = new Set<string>()
const failureInBrowser = z.extend(failure, { browser: z.string() })

/** Logs each failure once, fifty at most until the site starts again. */
export const POST = endpoint('POST /api/failures', async (input, _, { request }) => {
  const browser = browserName(request.headers.get('user-agent') ?? '')
  const failed = parseInput(failureInBrowser, { ...input, browser })
  const [script = ''] = failed.at.split(':', 1)
  if (!existsSync(join(buildFolder, 'client', script))) throw new UserError('invalid', 'This site has no such script.')
  const line = JSON.stringify(failed)
  if (logged.has(line) || logged.size === LOGGED_MAXIMUM) return
  logged.add(line)
  log.warn(failed, 'a part of a page failed in a browser: update the site, or report this line')
})
