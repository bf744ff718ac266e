import type { APIRoute } from 'astro'
import { changeEvent, changeEventTexts, getStoredEvent } from '#db/event/operations.ts'
import type { StoredEvent } from '#db/event/schema.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'
import { changeHeaders, entityTag, wholeEventHeaders } from '#site/server/calls/request-headers.ts'

const reply = ({ event, revision }: StoredEvent) => ({ json: event, headers: { etag: entityTag(revision) } })
const replace = endpoint('POST /api/event', changeEvent, { fromHeaders: wholeEventHeaders, reply })
const changeSome = endpoint('POST /api/event', changeEventTexts, { fromHeaders: changeHeaders, reply })

export const GET = endpointWithoutInput('GET /api/event', getStoredEvent, {
  reply: (stored) => (stored === null ? { json: null } : reply(stored)),
})
/** Without If-Match the last write wins, and replaces the whole event; with it, only the texts that are sent. */
export const POST: APIRoute = (context) =>
  context.request.headers.has('if-match') ? changeSome(context) : replace(context)
