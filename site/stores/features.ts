import type { Features } from '#db/feature/schema.ts'
import { createResource } from './resource.ts'

export const $features = createResource<Features>('/api/features')
