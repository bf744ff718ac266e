import type { APIRoute } from 'astro'
import { changeEvent, changeEventTexts, getStoredEvent } from '#db/event/operations.ts'
import type { StoredEvent } from '#db/event/schema.ts'
import { endpoint, jsonResponse } from '#site/server/calls/endpoint.ts'
import { entityTag } from '#site/server/calls/entity-tag.ts'
import { eventTextsHeaders, wholeEventHeaders } from '#site/server/calls/request-headers.ts'

const answer = (stored: StoredEvent | null): Response =>
  stored === null ? jsonResponse(null) : jsonResponse(stored.event, 200, { etag: entityTag(stored.revision) })

const replace = endpoint(changeEvent, { access: 'administrator', also: wholeEventHeaders, answer })
const changeSome = endpoint(changeEventTexts, { access: 'administrator', also: eventTextsHeaders, answer })

export const GET = endpoint((_query, call) => getStoredEvent(call), { access: 'guest', answer })
export const HEAD = GET
/** The whole event, and the last one wins; with If-Match as few texts as were changed, of that revision alone. */
export const POST: APIRoute = (context) =>
  context.request.headers.has('if-match') ? changeSome(context) : replace(context)
