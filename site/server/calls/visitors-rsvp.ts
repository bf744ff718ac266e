import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Call } from '#db/operation.ts'
import { submitRsvp } from '#db/rsvp/submit.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { calls } from '#site/calls.ts'
import type { Mode } from '#site/server/access/mode.ts'
import { type CallReply, errorReply, isObject, jsonReply, parseJson } from './json-call.ts'
import { isForm } from './media-type.ts'
import { withLink } from './private-link.ts'
import { rsvpHeaders } from './request-headers.ts'

const RSVP_ROUTE = '/api/rsvp'

/** Nothing here asks who may make the call: it has to be everyone. */
const { status } = calls['POST /api/rsvp'] satisfies { access: 'public' }

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** For the front server. */
export const visitorsRsvp = { route: RSVP_ROUTE, isAskedBy: isVisitorsRsvp, reply: replyToVisitorsRsvp }

/**
 * Whether this is an RSVP of a visitor of a guarded site, sent by the form with JavaScript or by a program. It is what many
 * send at the same moment, so the front server replies itself; everything else goes through Astro (`site/pages/api/rsvp.ts`).
 */
function isVisitorsRsvp({ method, url, headers }: Request, mode: Mode): boolean {
  if (method !== 'POST' || url !== RSVP_ROUTE || isForm(headers['content-type'])) return false
  return mode.isKnownGuarded() && !headers.cookie?.includes('rsvp-session')
}

/** The same reply as from the endpoint of the call. */
function replyToVisitorsRsvp(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  { origin, ...caller }: Pick<Call, 'network' | 'allowance'> & { origin: string },
): Promise<CallReply> {
  const call: Call = { now: new Date(), administrator: false, actor: 'visitor', ...caller }
  return withDeadline(async () => {
    try {
      const sent = parseJson(headers['content-type'], body)
      const said = rsvpHeaders({ request: { headers: { get: (name) => textOf(headers[name]) } } })
      const submitted = await submitRsvp(isObject(sent) ? { ...sent, ...said } : sent, call)
      return jsonReply(withLink(submitted, origin), status)
    } catch (error) {
      return errorReply(error, RSVP_ROUTE)
    }
  })
}

function textOf(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(', ') : (value ?? null)
}
