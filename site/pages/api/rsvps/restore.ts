import { restoreRsvps } from '#db/rsvp/delete.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/restore', async (input, call) => ({
  ids: await restoreRsvps(input, call),
}))
