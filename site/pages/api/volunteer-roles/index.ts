import { createVolunteerRole, listVolunteerRoles } from '#db/volunteer-role/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint(listVolunteerRoles, { access: 'guest' })
export const HEAD = GET
export const POST = endpoint(createVolunteerRole, { access: 'administrator', status: 201 })
