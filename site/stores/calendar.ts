import { createResource } from './resource.ts'

export const $calendar = createResource('/api/calendar')
