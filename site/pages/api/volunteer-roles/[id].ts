import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/volunteer-roles/[id]', changeVolunteerRole)
