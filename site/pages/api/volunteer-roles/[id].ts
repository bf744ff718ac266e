import { changeVolunteerRole } from '#db/volunteer-role/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/volunteer-roles/[id]', changeVolunteerRole, {})
