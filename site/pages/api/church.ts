import { changeChurch, getChurch } from '#db/church.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/church', getChurch)

export const PATCH = endpoint('PATCH /api/church', changeChurch)
