import { deleteRsvp } from '#db/rsvp/delete.ts'
import { changeRsvp } from '#db/rsvp/entry.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { changeHeaders, deletionHeaders } from '#site/server/calls/request-headers.ts'

export const DELETE = endpoint('DELETE /api/rsvps/[id]', deleteRsvp, { fromHeaders: deletionHeaders })

export const PATCH = endpoint('PATCH /api/rsvps/[id]', changeRsvp, { fromHeaders: changeHeaders })
