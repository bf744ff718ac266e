import { createVolunteerRole, listVolunteerRoles } from '#db/volunteer-role/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint((_query, call) => listVolunteerRoles(call), { access: 'guest' })
export const HEAD = GET
export const POST = endpoint(createVolunteerRole, { access: 'administrator', status: 201 })
