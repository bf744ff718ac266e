import { createVolunteerRole, listVolunteerRoles } from '#db/volunteer-role/operations.ts'
import { endpoint, onlyAllow } from '#site/server/endpoint.ts'

export const GET = endpoint(listVolunteerRoles, { access: 'guest' })
export const HEAD = GET
export const POST = endpoint(createVolunteerRole, { access: 'administrator', status: 201 })
export const ALL = onlyAllow('GET, HEAD, POST')
