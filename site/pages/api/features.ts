import { changeFeatures, getFeatures } from '#db/feature/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint((_query, call) => getFeatures(call), { access: 'guest' })
export const HEAD = GET
export const PATCH = endpoint(changeFeatures, { access: 'administrator' })
