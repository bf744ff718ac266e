import { createResource } from './resource.ts'

export const $features = createResource('/api/features')
