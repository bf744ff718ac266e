import { mergeRsvps } from '#db/rsvp/merge.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { changeHeaders } from '#site/server/calls/request-headers.ts'

export const POST = endpoint('POST /api/rsvps/[id]/merge', mergeRsvps, { fromHeaders: changeHeaders })
