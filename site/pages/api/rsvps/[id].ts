import { deleteRsvp } from '#db/rsvp/delete.ts'
import { changeRsvp } from '#db/rsvp/entry.ts'
import { endpoint, revisionsIn } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/rsvps/[id]', (input, call, { request }) =>
  changeRsvp({ ...input, onlyIfRevision: revisionsIn(request) }, call),
)

export const DELETE = endpoint('DELETE /api/rsvps/[id]', deleteRsvp)
