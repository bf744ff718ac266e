import type { IncomingMessage, ServerResponse } from 'node:http'
import { subHours } from 'date-fns'
import { isGuarded } from '#db/access/setup.ts'
import { readConfig } from '#db/config/config.ts'
import { changeEvent, getStoredEvent } from '#db/event.ts'
import { openDatabase } from '#db/open.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { createSampleRsvps } from '#db/rsvp/sample.ts'
import { defaultEvent } from '#db/values/default-event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { isFromThisComputer, networkOf, refusal } from './access/guard.ts'
import { followMode, followPublicUrl, MODE_CACHE_MS } from './access/site-state.ts'
import { chooseLanguage, inLanguage } from './language.ts'
import { problemOf } from './problem.ts'
import { siteCall } from './program.ts'

// After a change all of this runs again. The connection before it stays, for the requests that still use it.
const { databaseUrl } = readConfig()
await openDatabase(databaseUrl, { otherVersion: 'migrate' })
if ((await getStoredEvent()) === null) await storeSamples()
const mode = followMode(await isGuarded())
const publicUrl = followPublicUrl(undefined)

/** Takes the place of the front server in `npm run dev`: asks the guard, then passes to Astro what a page needs. */
export async function prepare(request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> {
  const { url = '', headers, socket } = request
  await publicUrl.refresh()
  const address = publicUrl.current()
  const reason = refusal(request, { onlyThisComputer: await mode.isOpen(MODE_CACHE_MS), publicUrl: address })
  if (reason !== undefined) {
    const { status, headers, body } = problemOf(reason)
    return void response.writeHead(status, headers).end(JSON.stringify(body))
  }
  const language = chooseLanguage(url, headers)
  const locals: Omit<App.Locals, 'route' | 'call' | 'open'> = {
    mode,
    publicUrl,
    language,
    origin: address ?? `http://${headers.host}`,
    network: networkOf(socket.remoteAddress ?? ''),
    isHere: () => isFromThisComputer(request, address),
    allowance: undefined,
    reply: response,
  }
  // Astro reads them there.
  Object.assign(request, { [Symbol.for('astro.locals')]: locals })
  await inLanguage(language, next)
}

async function storeSamples(): Promise<void> {
  const call = siteCall()
  await changeEvent(toPayload(defaultEvent), call)
  await changeSchedule({ weekday: 6, startTime: '10:00' }, call)
  const moments = Array.from({ length: 40 }, (_, place) => subHours(call.now, 16 * (40 - place)).toISOString())
  await createSampleRsvps(moments, call)
}
