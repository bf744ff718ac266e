import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { createQuery } from './query.ts'

export const $volunteerRolesQuery = createQuery<VolunteerRole[]>('/api/volunteer-roles')
