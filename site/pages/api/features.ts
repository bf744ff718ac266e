import { changeFeatures, getFeatures } from '#db/feature/operations.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/features', getFeatures, {})
export const PATCH = endpoint('PATCH /api/features', changeFeatures, {})
