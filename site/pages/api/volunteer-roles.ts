import { createVolunteerRole, listVolunteerRoles } from '#db/rsvp/roles.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/volunteer-roles', (_, call) => listVolunteerRoles(call))

export const POST = endpoint('POST /api/volunteer-roles', createVolunteerRole)
