import { changeFeatures, getFeatures } from '#db/features.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/features', getFeatures)

export const PATCH = endpoint('PATCH /api/features', changeFeatures)
