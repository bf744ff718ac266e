import { mergeRsvps } from '#db/rsvp/duplicates/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/[id]/merge', mergeRsvps, { input: ({ params }) => params })
