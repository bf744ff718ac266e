import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/volunteer-roles', listVolunteerRoles, {})
export const POST = endpoint('POST /api/volunteer-roles', createVolunteerRole, {})
