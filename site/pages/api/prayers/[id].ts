import { changePrayer } from '#db/prayer/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/prayers/[id]', changePrayer, {})
