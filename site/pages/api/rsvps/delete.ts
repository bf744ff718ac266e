import { deleteSelection } from '#db/rsvp/delete.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/delete', async (input, call) => ({
  ids: await deleteSelection(input, call),
}))
