import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/schedule', getSchedule, {})
export const PATCH = endpoint('PATCH /api/schedule', changeSchedule, {})
