import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { createResource } from './resource.ts'

export const $volunteerRoles = createResource<VolunteerRole[]>('/api/volunteer-roles')
