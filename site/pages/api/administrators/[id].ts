import { changeAdministrator, removeAdministrator } from '#db/access/administrators.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/administrators/[id]', changeAdministrator)

export const DELETE = endpoint('DELETE /api/administrators/[id]', removeAdministrator)
