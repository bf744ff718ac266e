import { createResource } from './resource.ts'

export const $volunteerRoles = createResource('/api/volunteer-roles')
