import { eraseIfConfirmed } from '#db/rsvp/delete.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/erase', async (input, call) => ({
  count: await eraseIfConfirmed(input, call),
}))
