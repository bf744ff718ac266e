import { changeVolunteerRole } from '#db/volunteer-role/operations.ts'
import { endpoint, onlyAllow } from '#site/server/endpoint.ts'

export const PATCH = endpoint(changeVolunteerRole, { access: 'administrator' })
export const ALL = onlyAllow('PATCH')
