import type { Features } from '#db/feature/schema.ts'
import { createQuery } from './query.ts'

export const $featuresQuery = createQuery<Features>('/api/features')
