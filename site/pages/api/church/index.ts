import { changeChurch, getChurch } from '#db/church/operations.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/church', getChurch, {})
export const PATCH = endpoint('PATCH /api/church', changeChurch, {})
