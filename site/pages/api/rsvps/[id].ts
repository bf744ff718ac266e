import { deleteRsvp } from '#db/rsvp/deletion.ts'
import { endpoint } from '#site/server/endpoint.ts'

export const DELETE = endpoint(deleteRsvp, { access: 'administrator' })
